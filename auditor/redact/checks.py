"""Numbers that prove themselves: cards, accounts and national ids with a checksum."""

import re

_DIGITS = re.compile(
    r"(?<![\w.+-])(?:\d{13,19}"
    r"|\d{4}(?P<by>[ -])(?:\d{4}(?P=by)\d{4}(?P=by)\d{4}(?:(?P=by)\d{3}(?!\d))?|\d{6}(?P=by)\d{4,5}))"
    r"(?![\w-]|\.\d)",
    re.ASCII,
)
_MIXED = re.compile(
    r"(?<![\w-])(?:[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?|\d{17}[Xx]|[XYZ]?\d{7,8}[A-Z]"
    r"|[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]|\d{3}-\d{2}-\d{4}|\d{3}\.\d{3}\.\d{3}-\d{2}|\d{6}-[1-8]\d{6})(?![\w-])",
    re.ASCII,
)


def luhn(digits: str) -> bool:
    """The checksum of payment cards."""
    total = 0
    for i, c in enumerate(reversed(digits)):
        n = ord(c) - 48
        if i % 2:
            n = n * 2 - 9 if n > 4 else n * 2
        total += n
    return total % 10 == 0


def card(digits: str) -> bool:
    """Whether these digits are a payment card's: an issuer's first digits, a right length and checksum."""
    n = len(digits)
    first, two, four = digits[0], int(digits[:2]), int(digits[:4])
    issued = (
        (first == "4" and n in (13, 16, 19))
        or (n == 16 and (51 <= two <= 55 or 2221 <= four <= 2720 or four == 6011 or two == 65 or 3528 <= four <= 3589))
        or (n == 15 and two in (34, 37))
        or (n == 14 and (two in (36, 38) or 300 <= int(digits[:3]) <= 305))
        or (16 <= n <= 19 and two == 62)
    )
    return issued and luhn(digits) and len(set(digits)) > 2


def iban(text: str) -> bool:
    """An International Bank Account Number (ISO 13616): mod 97 is 1."""
    plain = text.replace(" ", "")
    if not 15 <= len(plain) <= 34:
        return False
    turned = plain[4:] + plain[:4]
    return int("".join(str(int(c, 36)) for c in turned)) % 97 == 1


def chinese_id(text: str) -> bool:
    """A resident identity number of the PRC (GB 11643): date of birth and check character."""
    if len(text) != 18 or not text[:17].isdigit():
        return False
    month, day = int(text[10:12]), int(text[12:14])
    if text[6:8] not in ("19", "20") or not (1 <= month <= 12 and 1 <= day <= 31):
        return False
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    return "10X98765432"[sum(int(c) * w for c, w in zip(text, weights, strict=False)) % 11] == text[17].upper()


def ssn(text: str) -> bool:
    """A US social security number as it is written: three, two, four digits, none of the never issued ones."""
    area, group, serial = text.split("-")
    return area not in ("000", "666") and area < "900" and group != "00" and serial != "0000" and text != "078-05-1120"


def cpf(text: str) -> bool:
    """A Brazilian CPF: two check digits."""
    d = [int(c) for c in text if c.isdigit()]
    if len(d) != 11 or len(set(d)) == 1:
        return False
    return all(sum(d[i] * (n + 1 - i) for i in range(n)) * 10 % 11 % 10 == d[n] for n in (9, 10))


def dni(text: str) -> bool:
    """A Spanish DNI or NIE: its control letter."""
    number = text[:-1].replace("X", "0").replace("Y", "1").replace("Z", "2")
    return len(number) == 8 and number.isdigit() and "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23] == text[-1]


def codice_fiscale(text: str) -> bool:
    """An Italian tax code: its control letter."""
    odd = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
    total = 0
    for i, c in enumerate(text[:15]):
        n = int(c) if c.isdigit() else ord(c) - 65
        total += odd[n] if i % 2 == 0 else n
    return chr(65 + total % 26) == text[15]


def korean_id(text: str) -> bool:
    """A Korean resident registration number: its check digit."""
    d = [int(c) for c in text if c.isdigit()]
    weights = (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)
    return len(d) == 13 and (11 - sum(a * b for a, b in zip(d, weights, strict=False)) % 11) % 10 == d[12]


_LETTERS = bytes(range(65, 91))
_GROUPED = re.compile(rb"0000(?:[ -]0000|0{9}|0{3,4}A|00-0{7})|(?<=000-00-)0000")
_ALIKE = bytes.maketrans(b"0123456789" + _LETTERS, b"0" * 10 + b"A" * 26)


_WINDOW, _OVERLAP = 1 << 18, 1 << 10  # characters of a large text that are looked at together: memory is bounded


def likely(text: str) -> bool:
    """Whether a text can hold such a number: cheap, and never wrong with its no."""
    if len(text) <= _WINDOW + _OVERLAP:
        return _likely(text.encode("utf-8", "replace"))
    starts = range(0, len(text), _WINDOW)
    return any(_likely(text[at : at + _WINDOW + _OVERLAP].encode("utf-8", "replace")) for at in starts)


def _likely(data: bytes) -> bool:
    alike = data.translate(_ALIKE)
    first = alike.find(b"00")  # all of them hold this
    if first < 0:
        return False
    at = alike.find(b"0000", first)
    while at >= 0:
        if _GROUPED.match(alike, at):
            return True
        at = alike.find(b"0000", at + 1)
    if alike.find(b"AA00", max(0, first - 2)) >= 0 and (
        b"AAAAAA00A00A000A" in alike or b"0000" in alike.replace(b" ", b"")
    ):
        return True
    return alike.find(b"000.000.000-00", first) >= 0


def numbers(text: str) -> list[tuple[int, int, str]]:
    """Where such numbers stand in a text: (start, end, kind)."""
    found = []
    for m in _DIGITS.finditer(text):
        digits = m[0].replace(" ", "").replace("-", "")
        if 13 <= len(digits) <= 19 and card(digits):
            found.append((m.start(), m.end(), "card"))
        elif len(digits) == 18 and digits == m[0] and chinese_id(digits):
            found.append((m.start(), m.end(), "national-id"))
    for m in _MIXED.finditer(text):
        whole = m[0]
        if whole[:2].isalpha() and whole[2:4].isdigit() and whole[:2].isupper() and len(whole) > 14 and iban(whole):
            found.append((m.start(), m.end(), "iban"))
        elif _national(whole):
            found.append((m.start(), m.end(), "national-id"))
    return found


def _national(text: str) -> bool:
    if len(text) == 18:
        return chinese_id(text)
    if len(text) == 11 and text[3] == "-":
        return ssn(text)
    if len(text) == 14:
        return cpf(text) if text[3] == "." else korean_id(text)
    if len(text) == 16 and text.isalnum():
        return codice_fiscale(text)
    return len(text) == 9 and text.isalnum() and dni(text)
