"""Whether a value can be a secret at all: placeholders, references, code and words are none."""

import re
from itertools import pairwise

_PLACEHOLDER = re.compile(
    r"""^(?:
    <[^<>]*> | \$[({].* | <%.* | (?-i:\$[A-Z_][A-Z0-9_]*) | %[A-Za-z_]\w*% | \{\{.* | \{[A-Za-z_][\w.]*\}?
    | \[[\w\s:.=-]*\]? | 000-00-0000 | \([a-z]{2,12} | [xX*.•●#_-]+
    | \([a-z ]{2,20}\) | \*+[A-Z ]+\*+ | [*•●]{3,}[^*]{0,6}
    | [A-Za-z0-9]{1,12}(?:[-_][A-Za-z0-9]{1,12}){0,3}[-_][xX]{5,}[^\s]{0,4}
    | (?:[A-Za-z0-9]{1,10}[-_]){0,3}(?:your|my)(?:[-_][A-Za-z]{1,12}){0,3}
    | [^\s*.…]{0,8}(?:\*{4,}|\.{3}|…)[^\s*.]{0,6} | (?:change|replace)[-_]?(?:me|it|this) | fixme
    | (?:your|insert|enter|put|replace|change)[-_ ][^\d]* | .*\b(?:here|placeholder)$
    | (?:none|null|nil|undefined|true|false|yes|no|n/a|na|string|str|number|integer|int|boolean|bool|object|array
        |bytes|any|void|optional|required|hidden|redacted|removed|masked|secret|password|token|example|sample|dummy
        |todo|tbd|empty|missing|unset|accepted|rejected|enabled|disabled|valid|invalid|expired|revoked|not[ _-]?set
        |secretkeyref|pwd|passwd|passphrase|user|username|api_?key|acct|default|unknown|private|public|bearer|basic|same-origin|include|omit|varchar|text|char|blob)
    | __[A-Za-z_]+__ | @@?[A-Za-z_]+@@? | (?:op|secret|vault|file|ssm|secretsmanager|gcpsm|awssm|keyring|keychain|doppler|bw|sops|aws|gcp|azure)://.*
    | arn:aws.* | (?:secretref|ssm|kms|env|secretsmanager|keyvault):[\w./-]+
    | (?:aws:secretsmanager|keyring|file):[\w./-]+ | @Microsoft\.KeyVault\(.*\)
    | ENC\[.*\]? | !(?:vault|secret|env|ref|sub)\b.* | (?:vault|ssm|secretsmanager):[a-z]\S*/\S*
    | (?-i:env:[A-Z_]+) | [A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+_(?:HERE|VALUE|PLACEHOLDER|GOES_HERE)
    | \[REDACTED:[^\]]*\] | \[REDACTED\]
    )$""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_CODE = re.compile(
    r"^(?:(?:process\.env|os|env|config|settings|self|this|req|request|args|ctx|data|secrets|vars|var|local|module|github"
    r"|steps|params|props|state|user|form|event)\.(?=[A-Za-z_$])|e\.[A-Za-z]+(?![\w-])|input\(|getenv"
    r"|getpass|\w+::|(?:Optional|Union|List|Annotated|Literal|SecretStr|Secret)\b[\[(]|await$|aws_\w+\.|random_\w+\."
    r"|await |new |function|lambda|async )"
    r"|^\w+(?:\.\w+)*\(.*\)?;?$|^[\w.]+\[.*\]$"
    r"|^(?=.*(?:pass|pw|secret|token|key|cred|env|conf|auth|param|vault|ref))[A-Za-z_]\w*\.[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$"
)
_UUID = re.compile(r"^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$", re.IGNORECASE)
PUBLIC = frozenset({
    "AKIA" + "IOSFODNN7EXAMPLE", "ASIA" + "IOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYEXAMPLEKEY",
    "sk_test_" + "4eC39HqLyjWDarjtT1zdp7dc", "4242424242424242", "4111111111111111", "5555555555554444",
    "378282246310005", "4012888888881881", "6011111111111117", "5105105105105100", "GB82WEST12345698765432",
    "DE89370400440532013000",
})  # fmt: skip
"""Values that documentation everywhere shows, and that open nothing."""


def placeholder(value: str) -> bool:
    """Whether a value stands for a secret and is none."""
    text = value.strip().strip("\"'`")
    if not text or text in PUBLIC or text.count(text[0]) == len(text):
        return True
    return len(text) < 400 and _may_stand(text) and bool(_PLACEHOLDER.match(text))


def _may_stand(text: str) -> bool:
    """Cheap and never wrong with its no: a placeholder begins with a sign, has no digit, or shows it by how it begins
    or ends or by a sign within."""
    if not text[0].isalnum() or text[0] in "0xX" or _DIGIT.search(text) is None or not text.isascii():
        return True
    low = text.lower()
    return (
        ":" in low
        or "**" in low
        or "xxxx" in low
        or "your" in low
        or "..." in low
        or low.startswith(_BEGINNINGS)
        or low.endswith(("here", "placeholder", "_value"))
    )


_DIGIT = re.compile("[0-9]")
_BEGINNINGS = ("enc[", "your", "insert", "enter", "put", "replace", "change", "fixme")


def code(value: str) -> bool:
    """Whether a value is an expression that gets a secret from elsewhere."""
    if len(value) >= 400:
        return False
    signs = "." in value or "(" in value or "[" in value or "::" in value or value.startswith(_STATEMENTS)
    return signs and bool(_CODE.search(value))


_STATEMENTS = ("getenv", "getpass", "await", "new ", "function", "lambda", "async ")


_TECH = re.compile(
    r"(?:oauth|sha|md|utf|base|aes|rsa|rs|hs|es|ps|http|ipv|tls|tlsv|ssl|sslv|x|pkcs|ed|des|saml|argon|h|s|k|ec|log|web|mp|win"
    r"|amd|arm|https?/|x86_|python|py|v|p|bcrypt|scrypt|pbkdf|rot|crc|blake|ntlmv|snmpv|wpa|openid|basic|level|step|type)"
    r"[-_]?\d{1,4}(?:[._-]?\w{1,4})?"
    r"|S-1-\d[\d-]+|0x[0-9a-f]{40}",
    re.IGNORECASE,
)
_PATH = re.compile(
    r"(?:[~.]{0,2}/|[A-Za-z]:\\)?(?:[\w.@-]+[/\\])+[\w@-]*\.[A-Za-z]\w{0,5}|(?:~|\.{1,2})?/(?:[a-z.][\w.-]*/)+[\w.-]*"
)


def path(value: str) -> bool:
    """Whether a value is the path of a file."""
    return ("/" in value or "\\" in value) and len(value) < 300 and bool(_PATH.fullmatch(value))


def rooted(value: str) -> bool:
    """Whether a value is a path from a root: a password may hold a slash, but hardly begins so."""
    return value.startswith(("/", "~/", "./", "../")) or value[1:3] in (":\\", ":/")


def made(value: str) -> bool:
    """Whether a value is plainly made by a machine: long, letters and digits mixed, and no name of something."""
    if not 16 <= len(value) <= 8192 or _WORDY.search(value) or path(value) or "://" in value:
        return False
    if _UUID.match(value) or _TECH.fullmatch(value) or not any(c.isdigit() for c in value):
        return False
    piece = max(_PIECES.split(value), key=len)
    turns = sum(_sort(a) != _sort(b) for a, b in pairwise(value[:200]))
    mixed = turns * 3 >= min(len(value), 200)
    return mixed or (len(piece) >= 14 and sum(c.isdigit() for c in piece) >= 2)


def _sort(c: str) -> int:
    return 0 if c.islower() else 1 if c.isupper() else 2 if c.isdigit() else 3


_WORDY = re.compile(r"\s|^\d+$|^[\d.:,-]+$")


def scrambled(value: str) -> bool:
    """Whether letters alone are in no word's order: capitals within, and not as in CamelCase."""
    if len(value) < 8 or not value.isalnum() or value.islower() or value.isupper():
        return False
    letters = value.translate(_NO_DIGITS)
    return not _CAMEL.fullmatch(letters) or any(not _VOWEL.search(hump) for hump in _HUMP.findall(letters))


_HUMP, _VOWEL = re.compile(r"[A-Z]?[a-z]{2,}"), re.compile(r"[aeiouyAEIOUY]")
_NO_DIGITS = str.maketrans("", "", "0123456789")
_CAMEL = re.compile(r"[a-z]?(?:[A-Z]{0,4}[a-zÀ-ÿ]{2,}){1,6}[A-Z]{0,4}|[^\x00-\x7f].*")


def wordlike(value: str) -> bool:
    """Whether what looks like a secret is the name of something: an address, a file, a date, a version, a number."""
    return len(value) < 200 and bool(_NAMES_OF_THINGS.fullmatch(value) or _TECH.fullmatch(value))


def quantity(value: str) -> bool:
    """Whether a value is a number with its unit, a date or a version."""
    return value[:1] in "0123456789vV$" and len(value) < 40 and bool(_QUANTITY.fullmatch(value))


_QUANTITY = re.compile(
    r"v?\d+(?:\.\d+)+(?:[-+.]\w+)*|\$?\d[\d.,]*%|\d{1,4}[-./:]\d{1,2}(?:[-./:]\d{1,4})(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?"
    r"|\d+(?:\.\d+)?(?:ms|s|m|h|d|kb|mb|gb|k|b|px|em|min|mins|sec|days?|hours?|chars?|characters|bits?|bytes|x|times)"
    r"|\d+(?:st|nd|rd|th)",
    re.IGNORECASE,
)
_NAMES_OF_THINGS = re.compile(
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[\w-]+(?:\.[a-z]{2,10}){1,3}|v?\d+(?:\.\d+)+(?:[-+.]\w+)*|[#@+&]\w+|\$\d[\d.,]*|\d+[.,%][\d.,]*%?"
    r"|\d{1,4}[-./:]\d{1,2}(?:[-./:]\d{1,4})?(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?|\d+(?:\.\d+)?[-+]?[A-Za-zµ]{1,7}(?:/\w{1,4})?"
    r"|\d+(?:st|nd|rd|th)|1Password|[A-Z]{0,4}[a-z]+\d?|[a-z]+(?:[-_/][a-z]+)*|\w+\(.*|[A-Z]+-\d{1,6}|[A-Z_]{1,15}|[A-Z]+(?:_[A-Z]+)+|\W+"
    r"|[A-Za-z]{2,}['’][a-z]{1,2}|\d+/\d+|\w+=\S*|/\S*"
)
_PIECES = re.compile(r"[^A-Za-z0-9+=]")


def tokenish(value: str) -> bool:
    """Whether a value looks made by a machine: long enough, no prose, more than letters alone."""
    if len(value) < 6 or len(value) > 8192 or _TECH.fullmatch(value) or path(value) or quantity(value):
        return False
    if any(c.isspace() for c in value.strip()):
        return len(value.split()) == 2 and value.split()[0].lower() in ("bearer", "basic", "token", "bot", "apikey")
    if _UUID.match(value):
        return True
    has_digit = any(c.isdigit() for c in value)
    if has_digit:
        return len(value) >= 8 or not value.isalnum() or not value.isdigit()
    return len(value) >= 16 and (_mixed(value) or any(not c.isalnum() and c not in "-_./: " for c in value))


def _mixed(value: str) -> bool:
    turns = sum(a.islower() != b.islower() for a, b in pairwise(value) if a.isalpha() and b.isalpha())
    return turns >= len(value) // 4


def number(value: str) -> bool:
    """Whether a value can be a code or number that a person types: digits among it, and short."""
    if not any(c.isdigit() for c in value):
        return False
    return (3 <= len(value) <= 40 and len(value.split()) <= 8) or (len(value) <= 400 and made(value))
