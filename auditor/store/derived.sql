-- The derived tables, rebuilt per capture from the base tables when it grows. Same conventions as schema.sql.

CREATE TABLE sessions ( -- One MCP session: a handshake and what follows, or (since 2026-07-28) all of a capture's stateless requests. Key: session_id.
    capture_id VARCHAR NOT NULL, -- the capture
    session_id VARCHAR NOT NULL, -- capture_id, a dot, and the number of the session in it, from 1
    first_seq BIGINT NOT NULL, -- its first record
    last_seq BIGINT NOT NULL, -- its last record
    transport VARCHAR NOT NULL, -- stdio, http, process or import
    server_name VARCHAR, -- serverInfo.name, else the name of the capture, else the command's
    server_version VARCHAR, -- serverInfo.version
    client_name VARCHAR, -- clientInfo.name
    client_version VARCHAR, -- clientInfo.version
    protocol VARCHAR, -- negotiated revision; null when unknown
    client_capabilities JSON, -- as declared in initialize, or in the latest request's _meta
    server_capabilities JSON, -- as declared
    session_header VARCHAR, -- Mcp-Session-Id
    started_at TIMESTAMP NOT NULL, -- time of its first record, UTC
    ended_at TIMESTAMP NOT NULL, -- time of its last record, UTC
    end_reason VARCHAR NOT NULL, -- client (it closed first), server (it ended first), crash, deleted, open (still recording), or unknown
    exit_code INTEGER, -- exit code of the server's process
    exit_signal INTEGER, -- signal that ended it
    handshake BOOLEAN NOT NULL, -- a complete initialize, initialized was seen (or not needed, since 2026-07-28)
    messages BIGINT NOT NULL, -- how many messages
    lost_bytes BIGINT NOT NULL -- bytes lost in its capture: when not 0, absence proves nothing
);

CREATE TABLE exchanges ( -- One row a request, with the answer that belongs to it. Key: capture_id, seq.
    capture_id VARCHAR NOT NULL, -- the capture
    session_id VARCHAR NOT NULL, -- the session
    seq BIGINT NOT NULL, -- the request
    ts TIMESTAMP NOT NULL, -- when it was sent, UTC
    direction VARCHAR NOT NULL, -- who asked: c2s or s2c
    channel BIGINT NOT NULL, -- channel of the request
    method VARCHAR NOT NULL, -- method
    rpc_id VARCHAR NOT NULL, -- id as text
    rpc_id_type VARCHAR NOT NULL, -- type of the id
    tool VARCHAR, -- tool, prompt or resource named
    protocol VARCHAR, -- revision in force
    token VARCHAR, -- progress token
    token_type VARCHAR, -- type of the progress token
    task_id VARCHAR, -- task it belongs to or made
    answer_seq BIGINT, -- the answer; null when there is none, or when it cannot be told whose it is
    answer_ts TIMESTAMP, -- when it was answered
    answer_kind VARCHAR, -- result or error
    error_code BIGINT, -- code of the error
    is_error BOOLEAN, -- isError of the result
    result_type VARCHAR, -- resultType of the result
    answer_count INTEGER NOT NULL, -- how many answers named this request
    latency_us BIGINT, -- from request to answer
    cancelled_seq BIGINT, -- the first cancellation that names it
    cancelled_ts TIMESTAMP, -- when it was cancelled
    cancel_reason VARCHAR, -- reason given
    end_seq BIGINT, -- where it stopped being open: answer, cancellation, or end of stream or session; null while open
    end_ts TIMESTAMP, -- when
    end_cause VARCHAR NOT NULL -- answer, cancelled, stream_closed, session_end, id_reused or open
);

CREATE TABLE calls ( -- One row a user-visible call (tools/call, prompts/get, resources/read): a chain of all its legs. Key: capture_id, seq.
    capture_id VARCHAR NOT NULL, -- the capture
    session_id VARCHAR NOT NULL, -- the session
    seq BIGINT NOT NULL, -- its first leg
    rpc_id VARCHAR NOT NULL, -- id of the first leg as text
    rpc_id_type VARCHAR NOT NULL, -- type of the id
    method VARCHAR NOT NULL, -- method
    tool VARCHAR, -- tool, prompt or resource named
    legs STRUCT(seq BIGINT, rpc_id VARCHAR, rpc_id_type VARCHAR)[] NOT NULL, -- its requests in order, the original first
    outcome VARCHAR NOT NULL, -- ok, tool_error, error, cancelled, unanswered, input_required or task
    error_code BIGINT, -- code of the error that ended it
    started_at TIMESTAMP NOT NULL, -- time of the first leg, UTC
    ended_at TIMESTAMP, -- when it ended; null when it did not
    end_seq BIGINT, -- the record that ended it
    duration_us BIGINT, -- from start to end
    human_us BIGINT, -- of these, waiting for a person: the union of the times its prompts stood open
    server_us BIGINT, -- the rest
    prompts BIGINT[] NOT NULL, -- seq of the prompts attributed to it (explicit, deduced or inferred)
    task_id VARCHAR -- task that carried it on
);

CREATE TABLE elicitations ( -- One row a prompt: an elicitation, a sampling or a roots request, in any carriage. Key: capture_id, seq, item.
    capture_id VARCHAR NOT NULL, -- the capture
    session_id VARCHAR NOT NULL, -- the session
    seq BIGINT NOT NULL, -- the record that asked
    item INTEGER NOT NULL, -- place among the prompts of that record, from 0
    rpc_id VARCHAR, -- id of the server's request as text; null where the prompt is no request of its own
    rpc_id_type VARCHAR, -- type of the id
    key VARCHAR, -- key in inputRequests; null in other carriages
    carriage VARCHAR NOT NULL, -- request, input_required, url_required or task
    kind VARCHAR NOT NULL, -- elicitation, sampling or roots
    mode VARCHAR, -- form or url; null for sampling and roots
    message VARCHAR, -- what the user read
    url VARCHAR, -- where a url prompt leads, secrets taken out
    elicitation_id VARCHAR, -- elicitationId
    schema JSON, -- requestedSchema as sent
    fingerprint VARCHAR NOT NULL, -- equal for equal message, mode and schema, whatever their ids
    declared BOOLEAN, -- the client had declared the capability (and the mode) when it was asked; null when unknown
    channel BIGINT NOT NULL, -- channel that carried it
    stream VARCHAR, -- POST or GET on HTTP
    task_id VARCHAR, -- task it names
    asked_at TIMESTAMP NOT NULL, -- when it was asked, UTC
    answered_at TIMESTAMP, -- when a valid or invalid answer came
    answered_seq BIGINT, -- the record that answered
    action VARCHAR, -- accept, decline or cancel as answered, also when late
    content JSON, -- the answer's content, secrets taken out
    closed_seq BIGINT, -- the record that decided the outcome
    closed_at TIMESTAMP, -- when
    latency_us BIGINT, -- from question to answer
    outcome VARCHAR NOT NULL, -- accept, decline, cancel, unsupported, client_error, timeout, cancelled_parent, cancelled_server, expired, superseded, abandoned_parent, abandoned_session, timeout_inferred, pending; for sampling and roots accept is any valid answer; for url_required completed, retried or dangling
    detail VARCHAR, -- which sign decided it, in words
    late_action VARCHAR, -- what the client answered after the outcome was decided
    url_status VARCHAR, -- completed, dangling or retried; null where it does not apply
    parent_seq BIGINT, -- request it belongs to (the leg that asked); null when not known
    parent_rpc_id VARCHAR, -- id of that request
    parent_rpc_id_type VARCHAR, -- type of that id
    parent_method VARCHAR, -- method of that request
    parent_tool VARCHAR, -- tool of that request
    root_seq BIGINT, -- first leg of the chain
    root_rpc_id VARCHAR, -- id of the first leg
    root_rpc_id_type VARCHAR, -- type of that id
    tier VARCHAR NOT NULL, -- explicit, deduced, inferred, ambiguous or none
    confidence DOUBLE NOT NULL, -- probability that the parent is right; for ambiguous that of the best candidate; 0 for none
    evidence VARCHAR[] NOT NULL, -- why, in words a person can check
    candidates STRUCT(seq BIGINT, rpc_id VARCHAR, rpc_id_type VARCHAR, weight DOUBLE)[] NOT NULL -- the calls it may belong to (first legs), heaviest first
);

CREATE TABLE elicitation_fields ( -- One row a field that a form asked for. Key: capture_id, seq, item, ordinal.
    capture_id VARCHAR NOT NULL, -- the capture
    session_id VARCHAR NOT NULL, -- the session
    seq BIGINT NOT NULL, -- the prompt
    item INTEGER NOT NULL, -- place of the prompt in its record
    ordinal INTEGER NOT NULL, -- place of the field in the form
    name VARCHAR NOT NULL, -- property name
    type VARCHAR, -- JSON Schema type as sent
    format VARCHAR, -- JSON Schema format
    title VARCHAR, -- title
    description VARCHAR, -- description
    required BOOLEAN NOT NULL, -- listed under required
    has_default BOOLEAN NOT NULL, -- a default was given
    options VARCHAR[], -- values to choose from
    answered BOOLEAN NOT NULL, -- the accepted content has it
    sensitive VARCHAR -- kind of secret it asks for, null when none
);

CREATE TABLE tasks ( -- One row a task (2025-11-25 or the tasks extension). Key: session_id, task_id.
    capture_id VARCHAR NOT NULL, -- the capture
    session_id VARCHAR NOT NULL, -- the session
    task_id VARCHAR NOT NULL, -- taskId
    call_seq BIGINT, -- request that made it
    status VARCHAR, -- last status seen
    terminal BOOLEAN NOT NULL, -- completed, failed or cancelled
    created_at TIMESTAMP NOT NULL, -- first seen, UTC
    ended_at TIMESTAMP, -- first terminal status or result, UTC
    end_seq BIGINT, -- the record that showed it
    ttl_ms BIGINT, -- time to live that the receiver gave
    last_seq BIGINT NOT NULL, -- last record that names it
    result_seq BIGINT -- answer that gave its result; null when never fetched
);

CREATE TABLE learned ( -- What certain cases taught: which tool of a server asks with which words. Used by the inference of later sessions.
    capture_id VARCHAR NOT NULL, -- the capture that taught it
    server_name VARCHAR NOT NULL, -- the server, by its name
    template VARCHAR NOT NULL, -- fingerprint of a prompt's words without values, and of its field names
    tool VARCHAR NOT NULL, -- tool whose call it belonged to, explicitly or by being the only one open
    times BIGINT NOT NULL -- how often
);

CREATE TABLE orphans ( -- What was left hanging.
    kind VARCHAR NOT NULL, -- request_unanswered, response_unmatched, response_repeated, response_after_cancel, prompt_without_call, prompt_open_at_call_end, answer_after_call_end, url_never_completed, complete_unknown, input_never_retried, retry_mismatch, state_reused, task_unfinished, task_result_unfetched, progress_unknown, subscription_unacknowledged, subscription_left, session_uninitialized, session_ended_open
    capture_id VARCHAR NOT NULL, -- the capture
    session_id VARCHAR NOT NULL, -- the session
    seq BIGINT NOT NULL, -- the record left hanging
    rpc_id VARCHAR, -- its id as text
    rpc_id_type VARCHAR, -- type of the id
    method VARCHAR, -- method, where there is one
    direction VARCHAR NOT NULL, -- who sent that record
    detail VARCHAR NOT NULL -- what happened, in words
);

CREATE TABLE findings ( -- What the rules found.
    rule VARCHAR NOT NULL, -- id of the rule
    severity VARCHAR NOT NULL, -- violation, warning, policy or info
    confidence VARCHAR NOT NULL, -- high, medium or low: how sure the rule is of what it saw
    party VARCHAR NOT NULL, -- who can mend it: client, server or either
    capture_id VARCHAR NOT NULL, -- the capture
    session_id VARCHAR NOT NULL, -- the session
    seq BIGINT NOT NULL, -- the record it is about
    subject VARCHAR NOT NULL, -- what it is about: a tool, a field, a method, an id
    message VARCHAR NOT NULL, -- what was found, in one sentence
    evidence JSON NOT NULL -- an object with what a person needs to check it; rpc_id where there is one
);
