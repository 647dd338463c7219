-- The base tables. A comment behind a table or column is its documentation, and lands in the database as COMMENT.
-- Times are UTC with microseconds; durations are microseconds; ids of JSON-RPC are text beside their type.
-- A key that a table's text names is kept by those who write, not by an index, which costs half a second a million rows.

CREATE TABLE meta ( -- One row: what wrote this database.
    application VARCHAR NOT NULL, -- always `auditor`; a database without it belongs to another program
    schema_version INTEGER NOT NULL, -- version of these tables; older ones are migrated, newer ones refused
    created_at TIMESTAMP NOT NULL, -- when the database was made, UTC
    models_hash VARCHAR NOT NULL -- fingerprint of the models and rules that made the derived tables; when it changes, they are rebuilt
);

CREATE TABLE ingested ( -- The ledger: how much of each journal has been loaded.
    capture_id VARCHAR PRIMARY KEY, -- the capture
    journal VARCHAR NOT NULL, -- file name of the journal, in the folder beside the database
    bytes_loaded BIGINT NOT NULL, -- how far the journal has been read, in bytes
    records_loaded BIGINT NOT NULL, -- how many records were read, the start record included
    messages_loaded BIGINT NOT NULL, -- how many of them were messages
    last_hash VARCHAR NOT NULL, -- hash of the last record read, hex
    last_seq BIGINT NOT NULL, -- seq of the last record read
    sealed BOOLEAN NOT NULL, -- the journal ends in a seal: nothing more comes
    problem VARCHAR, -- what is wrong with the journal (torn tail, broken chain, unreadable record), null when nothing is
    ingested_at TIMESTAMP NOT NULL, -- when it was last loaded, UTC
    analyzed_records BIGINT NOT NULL DEFAULT 0 -- how many of the records the derived tables know of
);

CREATE TABLE captures ( -- One life of one tap: a wrapped process, a proxy, or an imported file.
    capture_id VARCHAR PRIMARY KEY, -- UTC time and random hex, sortable; `import-` and a content hash for imports
    transport VARCHAR NOT NULL, -- stdio, http, process or import; unknown where the journal has lost its start
    name VARCHAR, -- the name given with --name, or null
    cmd VARCHAR[], -- command line of the server, secrets taken out
    env MAP(VARCHAR, VARCHAR), -- environment kept with the capture, secrets taken out
    cwd VARCHAR, -- working folder of the server
    upstream VARCHAR, -- URL of the server behind an HTTP tap, secrets taken out
    pid BIGINT, -- process id of the server
    started_at TIMESTAMP NOT NULL, -- when the capture began, UTC
    ended_at TIMESTAMP, -- time of its last record when sealed, null while it runs
    exit_code INTEGER, -- exit code of the server, null when unknown or killed by a signal
    exit_signal INTEGER, -- signal that ended the server, null when none did
    sealed BOOLEAN NOT NULL, -- the recorder finished the journal
    lost_bytes BIGINT NOT NULL, -- bytes that passed but could not be recorded
    lost_messages BIGINT, -- messages lost, null when unknown
    auditor_version VARCHAR, -- version of the recorder
    content_level VARCHAR NOT NULL, -- full, answers-hidden or metadata
    policy_hash VARCHAR, -- fingerprint of the redaction policy in force
    key_id VARCHAR, -- which fingerprint key was in force
    source VARCHAR, -- the imported file, null for a recording
    inferred_directions BOOLEAN NOT NULL -- the imported file did not say who sent what
);

CREATE TABLE messages ( -- One row a JSON-RPC message, as it passed. Key: capture_id, seq.
    capture_id VARCHAR NOT NULL, -- the capture
    seq BIGINT NOT NULL, -- place in the capture; the order in which the tap saw it
    ts TIMESTAMP NOT NULL, -- when the tap saw it, UTC
    direction VARCHAR NOT NULL, -- c2s (client to server) or s2c
    channel BIGINT NOT NULL, -- 0 on stdio; the number of the HTTP exchange otherwise
    batch INTEGER, -- place in a JSON-RPC batch, null outside one
    kind VARCHAR NOT NULL, -- request, notification, result, error or invalid
    method VARCHAR, -- method of a request or notification
    rpc_id VARCHAR, -- JSON-RPC id as text, null when there is none
    rpc_id_type VARCHAR, -- integer, string, number, null or other; `1` and `"1"` are different ids
    tool VARCHAR, -- name of the tool or prompt, or URI of the resource, that a request names
    protocol VARCHAR, -- revision that the message itself names
    token VARCHAR, -- progress token as text
    token_type VARCHAR, -- type of the progress token
    task_id VARCHAR, -- task that the message belongs to
    ref VARCHAR, -- id that a cancellation names, as text
    ref_type VARCHAR, -- type of that id
    reason VARCHAR, -- reason that a cancellation gives
    error_code BIGINT, -- code of an error
    is_error BOOLEAN, -- isError of a tool's result
    result_type VARCHAR, -- resultType of a result (since 2026-07-28)
    state VARCHAR, -- fingerprint of requestState, null when there is none
    params_hash VARCHAR, -- fingerprint of method and params less what a retry changes
    input_keys VARCHAR[], -- keys of inputRequests (result) or inputResponses (request)
    action VARCHAR, -- action of an answer to an elicitation
    elicitation_id VARCHAR, -- elicitationId that the message names at the top of its params
    traceparent VARCHAR, -- W3C trace context of the message
    problems VARCHAR[] NOT NULL, -- how the message breaks JSON-RPC, empty when it does not
    lenient BOOLEAN NOT NULL, -- only a tolerant JSON reader takes it
    duplicate_keys BOOLEAN NOT NULL, -- a key stands twice in one object: readers disagree on what it says
    redaction_error VARCHAR, -- redaction failed, so no text was stored; null when it did not
    bytes BIGINT NOT NULL, -- size on the wire
    raw VARCHAR USING COMPRESSION zstd, -- the text as sent, but for the secrets; null when it could not be stored as text
    raw_base64 VARCHAR, -- the same in base64 where it is no UTF-8
    session_header VARCHAR, -- Mcp-Session-Id of its HTTP exchange
    stream VARCHAR, -- POST or GET: the kind of SSE stream or answer that carried it
    sse_id VARCHAR, -- id of its SSE event
    last_event_id VARCHAR, -- Last-Event-ID of its HTTP exchange
    hash VARCHAR NOT NULL USING COMPRESSION uncompressed -- hash of its record in the journal
);

CREATE TABLE redactions ( -- One row a secret that was taken out. The value is nowhere.
    capture_id VARCHAR NOT NULL, -- the capture
    seq BIGINT NOT NULL, -- the record it stood in
    direction VARCHAR, -- direction of that record, null for what was no traffic
    place VARCHAR NOT NULL, -- JSON pointer into the message, or /stderr, /cmd/N, /env/NAME, /headers/NAME
    kind VARCHAR NOT NULL, -- what kind of secret
    fingerprint VARCHAR -- equal secrets have equal ones under one key; null for what could be guessed
);

CREATE TABLE events ( -- What is no message: ends, exits, gaps, stderr, HTTP heads. Key: capture_id, seq.
    capture_id VARCHAR NOT NULL, -- the capture
    seq BIGINT NOT NULL, -- place in the capture
    ts TIMESTAMP NOT NULL, -- when, UTC
    event VARCHAR NOT NULL, -- start, eof, exit, gap, stderr, http, resume, warning or seal
    direction VARCHAR, -- which direction ended
    rc INTEGER, -- exit code
    signal INTEGER, -- signal that ended the process
    text VARCHAR, -- line of stderr, or a warning
    lost_bytes BIGINT, -- bytes of a gap
    lost_messages BIGINT -- messages of a gap, null when unknown
);

CREATE TABLE http_facts ( -- What HTTP said around a message or event. One row a record that came over HTTP.
    capture_id VARCHAR NOT NULL, -- the capture
    seq BIGINT NOT NULL, -- the record
    ts TIMESTAMP NOT NULL, -- when, UTC
    direction VARCHAR, -- c2s or s2c
    exchange BIGINT NOT NULL, -- number of the HTTP exchange in the capture
    connection BIGINT, -- number of the TCP connection
    http_method VARCHAR, -- method of the request
    path VARCHAR, -- path and query, secrets taken out
    status INTEGER, -- status of the response
    content_type VARCHAR, -- content type
    accept VARCHAR, -- Accept of the request
    session_header VARCHAR, -- Mcp-Session-Id
    protocol_header VARCHAR, -- MCP-Protocol-Version
    stream VARCHAR, -- POST or GET
    sse_open BOOLEAN, -- the record opens an SSE stream
    sse_event VARCHAR, -- name of the SSE event
    sse_id VARCHAR, -- id of the SSE event
    sse_close BOOLEAN, -- the record closes the stream
    truncated BOOLEAN, -- the body ended before its end
    last_event_id VARCHAR, -- Last-Event-ID of the request
    mcp_method VARCHAR, -- Mcp-Method
    mcp_name VARCHAR, -- Mcp-Name
    bytes BIGINT, -- bytes of the body
    error VARCHAR -- what went wrong between tap and upstream
);

CREATE TABLE oddities ( -- What did not parse as a message, kept and queryable. Key: capture_id, seq.
    capture_id VARCHAR NOT NULL, -- the capture
    seq BIGINT NOT NULL, -- place in the capture
    ts TIMESTAMP NOT NULL, -- when, UTC
    direction VARCHAR, -- c2s or s2c; null for damage in the journal itself
    channel BIGINT NOT NULL, -- as in messages
    why VARCHAR NOT NULL, -- why it is no message
    bytes BIGINT NOT NULL, -- size on the wire
    raw VARCHAR, -- the text, secrets taken out
    raw_base64 VARCHAR -- the same in base64 where it is no UTF-8
);
