"""What secret a form field asks for: by its name, its title, its description, or the message of a form of one field."""

import re
from functools import lru_cache

from auditor.redact.keys import classify, words

_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in (
        ("otp", r"\botp\b|one[- ]?time|verification code|security code\b(?! of the card)|two[- ]?factor|\b2fa\b|\bmfa\b|authenticator|sms code"
                r"|验证码|驗證碼|動態碼|认证码|認証コード|確認コード|인증번호|인증 ?코드|código de verificación|código de verificação|code de vérification"
                r"|bestätigungscode|kod weryfikacyjny|код подтверждения|doğrulama kodu"),
        ("payment", r"\bcvv2?\b|\bcvc2?\b|card (?:number|no\b|verification|security)|credit card|debit card|\biban\b|routing number|account number|card.?number"
                    r"|安全码|安全碼|银行卡|銀行卡|信用卡|卡号|卡號|カード番号|クレジットカード|口座番号|카드 ?번호|계좌 ?번호|tarjeta de cr[eé]dito|número de tarjeta"
                    r"|cart[aã]o de cr[eé]dito|carte (?:bancaire|de crédit)|kreditkarte|numer karty|номер карты|kart numaras[ıi]|sort code"),
        ("seed", r"seed phrase|recovery (?:phrase|code|key)|backup code|mnemonic|助记词|助記詞"),
        ("password", r"pass ?word|passwd|pass ?phrase|passcode|\bpin\b(?! ?code d)|\bpwd\b|密码|密碼|口令|パスワード|パスフレーズ|暗証番号|비밀번호|암호|contraseña|contrasena"
                     r"|\bsenha\b|palavra-?passe|mot de passe|passwort|kennwort|has[łl]o|пароль|пин-?код|şifre|\bparola\b|पासवर्ड|wachtwoord|lösenord|heslo|jelszó"),
        ("api-key", r"api[ _-]?key|access[ _-]?key|secret[ _-]?key|private[ _-]?key|signing[ _-]?key|encryption[ _-]?key|client[ _-]?secret|密钥|密鑰|私钥|秘密鍵|apiキー"
                    r"|비밀 ?키|api ?키|clave (?:de )?api|chave (?:de |da )?api|cl[eé] (?:d['’])?api|api-schlüssel|klucz api|ключ api|api[- ]?ключ|api anahtar"),
        ("token", r"(?:access|auth|bearer|refresh|session|personal|api|bot|security|deploy|github|gitlab|slack) ?token|session cookie|\bjwt\b|令牌|トークン|토큰|токен|credentials?\b"),
    )
)  # fmt: skip
_ID = re.compile(
    r"\bssn\b|social security|national id|passport (?:number|no)|身份证|身分證|護照|护照|マイナンバー|주민등록|паспорт|снилс|aadhaar",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"password (?:policy|length|strength|expiry|reset|rules?|manager|hint)|reset (?:the |your )?password|token (?:limit|count|budget|type|name|bucket|usage)|max tokens"
    r"|(?:number|count) of tokens|tokens? per|key (?:name|id|type|length|size)|密码(?:策略|长度|强度|规则)|name of the (?:secret|key|token|password)|(?:secret|key|token) (?:name|id)\b"
    r"|(?:do not|don't|never|without|not) (?:enter|share|type|include|provide|put|ask)[^.]{0,40}(?:password|secret|token|key)|forgot|expire|rotate|(?:has|have|uses?|need|require)s? a (?:password|token|key|pin)"
    r"|public key|pin (?:the|this|to|a|it|on)\b|pinned|pin location|whether|enable|(?:password|passphrase)[- ]protected",
    re.IGNORECASE,
)
_BY_NAME = {"strong": "password", "token": "token", "number": "code"}


@lru_cache(maxsize=16384)
def sensitive_kind(
    name: str, title: str | None, description: str | None, message: str | None, format: str | None
) -> str | None:
    """The kind of secret that a field asks for (password, api-key, token, otp, payment, seed, id, code), None for none.

    `message` is the form's, and counts only where the field itself says nothing (give it for forms of one field).
    """
    said = classify(name)
    if said is not None:
        spoken = " ".join(words(name)) if name.isascii() else name
        return _kind_of(spoken) or _BY_NAME[said]
    if format == "password":
        return "password"
    if _says_otherwise(name):
        return None
    for text in (title, description):
        if text and not _ABOUT.search(text) and (found := _kind_of(text)):
            return found
    if message and not title and not description and _asks(message):
        return _kind_of(message)
    return None


def _kind_of(text: str) -> str | None:
    for kind, pattern in _KINDS:
        if pattern.search(text):
            return kind
    return "id" if _ID.search(text) else None


def _says_otherwise(name: str) -> bool:
    """Whether a name speaks of secrets without asking for one: a policy, a count, a location."""
    parts = words(name)
    return len(parts) > 1 and any(p in ("password", "token", "secret", "pin", "key", "otp", "card") for p in parts[:-1])


_ASKS = re.compile(
    r"\b(?:enter|type|provide|paste|give|input|supply|what is|what's|tell|confirm|need|share|insert|submit|send|fill|re-?enter|please)\b|[:：?？]\s*$|请|請|输入|輸入|入力|입력|introduzca|introduce"
    r"|ingrese|escriba|digite|insira|informe|saisissez|entrez|geben|eingeben|podaj|wprowadź|введите|укажите|girin|दर्ज",
    re.IGNORECASE,
)


def _asks(message: str) -> bool:
    return bool(_ASKS.search(message)) and not _ABOUT.search(message)
