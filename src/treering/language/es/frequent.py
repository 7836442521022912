"""By which words is a text known to be Spanish? Those that English has not, and those it has only in names."""

from __future__ import annotations

import re


def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())


COMMON = _split(
    "el la los las de del que en y o un una unos unas por con para al se lo le les su sus mi mis tu tus es nos te "
    "si sin como yo mes mayo abril julio domingo tarde noche casa va van voy ha han muy todo toda todos todas eso "
    "esa ese ella soy hay llama señor señora dos tres cuatro cinco seis siete ocho nueve diez ya fin par"
)
"""They count, and prove nothing: "Las Vegas", "de la Cruz", "mayo on the side"."""
TELLING = _split(
    "está estoy están estaba estaban estuve estuvo estuvimos estaré pero más hoy ayer anoche anteayer antier mañana "
    "desde hasta hace cada este esta estos estas pasado pasada próximo próxima proximo proxima semana semanas meses "
    "año años día días dónde cuándo qué quién cómo cuál cuántos tengo tiene tienen tenemos tenía vivo vive vivía "
    "trabajo trabaja trabajaba también tambien porque cuando donde ellos nosotros fue fui fuimos fueron será eres "
    "somos siempre nunca ahora antes después despues dentro durante entre quiero puedo llevo gusta enero febrero "
    "marzo junio agosto septiembre setiembre octubre noviembre diciembre lunes martes miércoles miercoles jueves "
    "viernes sábado sabado sábados domingos verano invierno primavera otoño siglo década trimestre navidad "
    "nochebuena nochevieja último última últimos últimas ultimo ultima últimamente recientemente actualmente "
    "principios mediados finales hermano hermana madre padre hijo hija amigo amiga trabajar vivir gracias hola "
    "nuestro nuestra reunión niño niña aún todavía luego entonces aquí allí así mañanas noches tardes hora horas "
    "minutos viene vienen nuevo nueva quien hemos acabo acabamos sigo llamo llamaba quedamos nuestros nuestras"
)
"""Nobody writes them in English."""
PLAIN = _split("que es un una por con para se lo le su mi el en y al del")
"""Written small, two of them with no English word beside them are Spanish."""
_KNOWN = COMMON | TELLING
_BORROWED = _split(
    "café fiancé resumé résumé cliché josé andré rené beyoncé sauté rosé touché passé soufflé pelé noé zoé"
)
_ENDINGS = {4: ("ó", "é"), 6: ("ción", "ieron"), 7: ("amos", "imos")}
"""By the letters that a word has at least: Ramos is a name."""
_SIGNS = re.compile(
    r"[¿¡]"
    r"|\b[Aa] las? (?:\d|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce)"
    r"|\b(?:[EeAa]l|[Dd]el) \d|\b[Ee]n (?:19|20)\d\d\b|\b[Ee]l domingo\b|\bfin de (?:mes|año|semana)\b"
    r"|(?<!cinco )\bde (?:mayo|abril|julio)\b|\b(?:mayo|abril|julio) del? "
)
"""Signs, articles before figures, and months and days that alone could be names; "Cinco de Mayo" is said in English."""


def may_be_spanish(text: str, words: list[str]) -> bool:
    """A quick look: false only where nothing else here could find anything."""
    return not _KNOWN.isdisjoint(words) or "¿" in text or "¡" in text or any(map(_ends_as_a_verb, words))


def signs(text: str, words: list[str]) -> int:
    return sum(map(_ends_as_a_verb, words)) + sum(1 for _ in _SIGNS.finditer(text))


def _ends_as_a_verb(word: str) -> bool:
    """ "llegó", "cené", "firmamos", and "canción"."""
    return any(len(word) >= least and word.endswith(ends) for least, ends in _ENDINGS.items()) and word not in _BORROWED
