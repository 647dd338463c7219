"""What the name of a key, a header, a variable or a field says of its value.

Rules. A name is cut into words at case, digits and punctuation. It names a secret when its last words do, unless a word
around them makes it something about secrets (a policy, a count, a path) or a token of the protocol (a cursor).
"""

import re
from functools import lru_cache
from typing import Literal

Strength = Literal["strong", "token", "number"]
"""strong: any value is a secret. token: a value that looks like one. number: a code or number that can be guessed."""

_CUT = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")

_STRONG = frozenset(
    [
        "password",
        "passwd",
        "passwort",
        "passphrase",
        "passcode",
        "pwd",
        "pass",
        "pswd",
        "psw",
        "userpass",
        "dbpass",
        "dbpassword",
        "pgpassword",
        "kennwort",
        "geheimnis",
        "contrasena",
        "contraseña",
        "clave",
        "senha",
        "palavrapasse",
        "motdepasse",
        "mdp",
        "haslo",
        "hasło",
        "sifre",
        "şifre",
        "parola",
        "mima",
        "kouling",
        "miyao",
        "lozinka",
        "heslo",
        "wachtwoord",
        "losenord",
        "lösenord",
        "salasana",
        "adgangskode",
        "passord",
        "jelszo",
        "jelszó",
        "matkhau",
        "katasandi",
        "pasvorto",
        "parool",
        "slaptazodis",
        "parole",
        "mnemonic",
        "credential",
        "credentials",
        "cred",
        "creds",
        "secret",
        "secrets",
        "authorization",
        "proxyauthorization",
        "cookie",
        "setcookie",
        "privatekey",
        "dsn",
        "kata",
    ]
)
_NUMBER = frozenset(
    [
        "pin",
        "otp",
        "totp",
        "cvv",
        "cvc",
        "cvv2",
        "cvc2",
        "csc",
        "ssn",
        "pincode",
        "otpcode",
        "mfacode",
        "passcode",
        "pan",
        "iban",
        "nif",
        "cpf",
        "curp",
    ]
)
_TOKEN = frozenset(
    [
        "token",
        "tokens",
        "jwt",
        "apikey",
        "bearer",
        "auth",
        "authtoken",
        "accesstoken",
        "pat",
        "sid",
        "sessionid",
        "jeton",
        "tokenu",
        "sas",
        "signature",
        "sig",
    ]
)
_PHRASES: dict[tuple[str, ...], Strength] = {
    **dict.fromkeys([
        ("private", "key"), ("secret", "key"), ("api", "secret"), ("client", "secret"), ("app", "secret"),
        ("signing", "key"), ("encryption", "key"), ("master", "key"), ("account", "key"), ("shared", "key"),
        ("seed", "phrase"), ("recovery", "phrase"), ("secret", "phrase"), ("mnemonic", "phrase"), ("seed", "words"),
        ("connection", "string"), ("database", "url"), ("mot", "passe"), ("mot", "de", "passe"), ("palavra", "passe"),
        ("pass", "phrase"), ("pass", "word"), ("secret", "access", "key"), ("access", "key", "secret"), ("hmac", "key"),
        ("security", "answer"), ("secret", "answer"), ("kata", "sandi"), ("mat", "khau"), ("clave", "secreta"), ("chave", "secreta"),
        ("hidden", "key"), ("cipher", "key"), ("symmetric", "key"), ("storage", "key"), ("session", "cookie"), ("auth", "cookie"),
        ("cle", "secrete"), ("geheimer", "schlussel"), ("storage", "account", "key"), ("webhook", "secret"), ("host", "key"),
    ], "strong"),
    **dict.fromkeys([
        ("api", "key"), ("access", "key"), ("auth", "key"), ("app", "key"), ("application", "key"), ("license", "key"), ("licence", "key"),
        ("service", "key"), ("deploy", "key"), ("ssh", "key"), ("server", "key"), ("x", "key"), ("subscription", "key"), ("consumer", "key"),
        ("shared", "access", "key"), ("integration", "key"), ("ingest", "key"), ("write", "key"), ("admin", "key"), ("session", "key"),
        ("bot", "key"), ("function", "key"), ("functions", "key"), ("rsa", "key"), ("pem", "key"), ("session", "id"), ("session", "token"),
        ("access", "code"), ("authorization", "code"), ("auth", "code"), ("api", "clave"), ("webhook", "url"), ("chiave", "api"), ("clave", "api"),
        ("chave", "api"), ("cle", "api"), ("api", "schlussel"), ("api", "schlüssel"), ("klucz", "api"), ("api", "anahtari"), ("api", "pass"),
        ("publishable", "secret"), ("code", "verifier"), ("setup", "code"), ("sas", "url"), ("presigned", "url"), ("magic", "link"), ("chave", "acesso"),
    ], "token"),
    **dict.fromkeys([
        ("security", "code"), ("verification", "code"), ("recovery", "code"), ("recovery", "codes"), ("backup", "code"), ("backup", "codes"),
        ("mfa", "code"), ("otp", "code"), ("totp", "code"), ("sms", "code"), ("2", "fa", "code"), ("2", "fa"), ("two", "factor", "code"),
        ("two", "factor"), ("one", "time", "code"), ("one", "time", "password"), ("pin", "code"), ("pin", "number"), ("card", "number"),
        ("card", "no"), ("card", "pin"), ("cc", "number"), ("cc", "num"), ("credit", "card"), ("debit", "card"), ("creditcard", "number"),
        ("account", "number"), ("routing", "number"), ("bank", "account"), ("sort", "code"), ("social", "security"),
        ("social", "security", "number"), ("ssn", "number"), ("tax", "id"), ("national", "id"), ("passport", "number"), ("passport", "no"),
        ("card", "verification"), ("card", "code"), ("card", "cvv"), ("card", "cvc"), ("tarjeta", "credito"), ("tarjeta", "de", "credito"),
        ("numero", "tarjeta"), ("numero", "de", "tarjeta"), ("cartao", "credito"), ("numero", "cartao"), ("numero", "do", "cartao"),
        ("carte", "bancaire"), ("numero", "carte"), ("numero", "de", "carte"), ("kreditkarte",), ("kreditkartennummer",), ("kartennummer",),
        ("numer", "karty"), ("kart", "numarasi"), ("codigo", "verificacion"), ("codigo", "de", "verificacion"), ("codigo", "seguridad"),
        ("codigo", "de", "seguridad"), ("codigo", "verificacao"), ("code", "secret"), ("kod", "pin"), ("auth", "pin"), ("login", "code"),
        ("drivers", "license"), ("driver", "license"), ("id", "card"), ("resident", "id"), ("aadhaar",), ("aadhaar", "number"), ("pesel",),
        ("yanzhengma",), ("shenfenzheng",), ("authenticator", "code"), ("passcode", "2"), ("device", "pin"), ("unlock", "code"),
    ], "number"),
}  # fmt: skip
_ELSEWHERE: tuple[tuple[str, Strength], ...] = (
    *((w, "number") for w in (
        "验证码", "驗證碼", "校验码", "动态码", "安全码", "安全碼", "身份证", "身分證", "银行卡", "銀行卡", "信用卡", "卡号", "卡號", "护照号", "护照号码",
        "暗証番号", "認証コード", "確認コード", "カード番号", "クレジットカード", "口座番号", "マイナンバー", "セキュリティコード",
        "인증번호", "인증코드", "카드번호", "주민등록번호", "주민번호", "계좌번호", "핀번호", "보안코드",
        "пин", "номеркарты", "кодподтверждения", "снилс", "паспорт", "инн", "одноразовыйкод", "कार्डनंबर", "ओटीपी", "पिन",
    )),
    *((w, "strong") for w in (
        "密码", "密碼", "口令", "密钥", "密鑰", "金鑰", "私钥", "私鑰", "助记词", "助記詞", "令牌", "秘钥", "凭证", "憑證", "凭据", "通行证",
        "パスワード", "パスフレーズ", "秘密鍵", "暗号鍵", "トークン", "シークレット", "apiキー", "合言葉",
        "비밀번호", "암호", "패스워드", "토큰", "시크릿", "비밀키", "개인키", "api키", "인증키",
        "пароль", "пароля", "парольная", "токен", "секрет", "ключ", "кодовоеслово", "пасс", "гасло", "токін",
        "पासवर्ड", "कूटशब्द", "टोकन", "गुप्त", "كلمةالمرور", "كلمةالسر", "الرقمالسري", "رمزسري", "סיסמה", "סיסמא", "รหัสผ่าน",
        "mậtkhẩu", "κωδικόςπρόσβασης", "κωδικός", "contraseña", "пассворд",
    )),
)  # fmt: skip
_ABOUT = frozenset(
    [
        "policy",
        "policies",
        "count",
        "counts",
        "length",
        "len",
        "limit",
        "limits",
        "type",
        "types",
        "name",
        "names",
        "hint",
        "hints",
        "url",
        "uri",
        "path",
        "paths",
        "file",
        "files",
        "filename",
        "dir",
        "folder",
        "expiry",
        "expires",
        "expiration",
        "expired",
        "ttl",
        "age",
        "created",
        "updated",
        "at",
        "date",
        "time",
        "required",
        "enabled",
        "disabled",
        "valid",
        "invalid",
        "min",
        "max",
        "field",
        "fields",
        "label",
        "labels",
        "format",
        "version",
        "algorithm",
        "alg",
        "algo",
        "index",
        "usage",
        "budget",
        "bucket",
        "reset",
        "strength",
        "rule",
        "rules",
        "visible",
        "visibility",
        "changed",
        "change",
        "provider",
        "providers",
        "location",
        "manager",
        "status",
        "state",
        "states",
        "error",
        "errors",
        "message",
        "messages",
        "text",
        "placeholder",
        "title",
        "description",
        "prompt",
        "help",
        "id",
        "ids",
        "ref",
        "reference",
        "references",
        "mode",
        "kind",
        "schema",
        "store",
        "storage",
        "scope",
        "scopes",
        "info",
        "metadata",
        "meta",
        "requirements",
        "required",
        "requires",
        "exists",
        "present",
        "set",
        "source",
        "style",
        "method",
        "methods",
        "endpoint",
        "page",
        "pages",
        "consent",
        "banner",
        "level",
        "levels",
        "layout",
        "region",
        "zone",
        "policyid",
        "parser",
        "position",
        "size",
        "width",
        "confirmed",
        "verified",
        "verification",
        "required",
        "attempts",
        "attempt",
        "retries",
        "history",
        "failed",
        "failure",
        "failures",
        "success",
        "list",
        "table",
        "column",
        "user",
        "username",
        "owner",
        "generator",
        "validator",
        "regex",
        "pattern",
        "protected",
        "protection",
        "supported",
        "flow",
        "screen",
        "form",
        "input",
        "manager",
        "handler",
        "class",
        "factory",
        "service",
        "guard",
        "middleware",
        "component",
        "button",
        "icon",
        "tooltip",
        "策略",
        "长度",
        "类型",
        "名称",
        "规则",
        "提示",
        "政策",
        "强度",
        "格式",
        "版本",
        "有效期",
        "状态",
        "重置",
        "policyname",
        "説明",
        "設定",
        "ポリシー",
        "정책",
        "길이",
    ]
)
_BEFORE = frozenset(
    [
        "progress",
        "next",
        "prev",
        "previous",
        "page",
        "continuation",
        "sync",
        "cursor",
        "prompt",
        "completion",
        "input",
        "output",
        "public",
        "max",
        "min",
        "total",
        "num",
        "number",
        "cancellation",
        "cancel",
        "sort",
        "partition",
        "primary",
        "foreign",
        "cache",
        "idempotency",
        "dedup",
        "dedupe",
        "unique",
        "publishable",
        "resume",
        "delta",
        "has",
        "is",
        "no",
        "needs",
        "requires",
        "show",
        "hide",
        "forgot",
        "reset",
        "change",
        "allow",
        "use",
        "uses",
        "with",
        "without",
        "per",
        "stop",
        "special",
        "eos",
        "bos",
        "pad",
        "unk",
        "start",
        "end",
        "skip",
        "total",
        "cached",
        "reasoning",
        "audio",
        "prediction",
        "used",
        "remaining",
        "estimated",
        "count",
        "csrfless",
        "map",
        "object",
    ]
)
_MCP = frozenset(
    [
        "progresstoken",
        "requeststate",
        "nextcursor",
        "cursor",
        "pagetoken",
        "nextpagetoken",
        "continuationtoken",
        "synctoken",
        "maxtokens",
        "inputtokens",
        "outputtokens",
        "totaltokens",
        "prompttokens",
        "completiontokens",
        "tokencount",
        "tokens",
        "tokenlimit",
        "tokenusage",
        "tokentype",
        "sessionid",
        "mcpsessionid",
        "tokenizer",
        "tokenization",
    ]
)
_FOLD = str.maketrans("áàâãäéèêëíìîïóòôõöúùûüçñßışğ", "aaaaaeeeeiiiiooooouuuucnsisg")


def words(name: str) -> tuple[str, ...]:
    """The words of a name, in lower case.

    >>> words("X-Api-Key"), words("dbPassword"), words("AWS_SECRET_ACCESS_KEY")
    (('x', 'api', 'key'), ('db', 'password'), ('aws', 'secret', 'access', 'key'))
    """
    return tuple(w.lower() for w in _CUT.findall(name.translate(_FOLD)))


@lru_cache(maxsize=16384)
def classify(name: str) -> Strength | None:
    """Whether a value under this name is a secret, and how sure the name is of it."""
    if len(name) > 128 or not name:
        return None
    if not name.isascii() and (found := _foreign(name)):
        return None if found == "about" else found  # type: ignore[return-value]
    parts = words(name)
    joined = "".join(parts)
    if joined in _MCP or not parts:
        return None
    while len(parts) > 1 and (parts[-1].isdigit() or parts[-1] in _TRAILING):
        parts = parts[:-1]
    if parts[-1] in _ABOUT and (parts[-2:] not in _PHRASES):
        return None
    return _by_phrase(parts) or _by_word(parts)


_TRAILING = frozenset(
    [
        "value",
        "plain",
        "plaintext",
        "raw",
        "encoded",
        "base64",
        "b64",
        "new",
        "old",
        "current",
        "confirm",
        "confirmation",
        "repeat",
        "again",
        "primary",
        "secondary",
        "prod",
        "dev",
        "test",
        "live",
    ]
)


def _by_phrase(parts: tuple[str, ...]) -> Strength | None:
    for n in (4, 3, 2, 1):
        if len(parts) >= n and (found := _PHRASES.get(parts[-n:])):
            before = parts[-n - 1] if len(parts) > n else ""
            return None if before in ("public", "no", "has", "requires", "needs", "missing") else found
    return None


def _by_word(parts: tuple[str, ...]) -> Strength | None:
    last = parts[-1]
    before = parts[-2] if len(parts) > 1 else ""
    if before in _BEFORE and not (before in ("reset", "start", "cancel") and last in ("token", "code")):
        return None
    if last in _STRONG or any(last.endswith(w) for w in ("password", "passwd", "passphrase", "passwort", "secret")):
        return "strong"
    if last in _NUMBER:
        return "number"
    if last in _TOKEN or last.endswith(("token", "apikey", "accesskey", "secretkey", "privatekey", "authkey")):
        return "token"
    return None


def _plain(name: str) -> str:
    return _PUNCTUATION.sub("", name.lower())


def _foreign(name: str) -> str | None:
    plain = _plain(name)
    if any(plain.endswith(w) for w in _FOREIGN_ABOUT):
        return "about"
    found = None
    for word, strength in _FOREIGN:
        if word in plain:
            rest = plain.rsplit(word, 1)[1]
            if len(rest) <= 3 or rest.isdigit():
                return strength
            found = "about"
    return found


_PUNCTUATION = re.compile(r"[\W_]+")
_FOREIGN = tuple((_plain(word), strength) for word, strength in _ELSEWHERE)
_FOREIGN_ABOUT = tuple(_plain(w) for w in _ABOUT if not w.isascii())
