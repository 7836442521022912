"""Does a Spanish sentence look back or ahead? The endings of its verbs and a few plain words tell.

Where there is no sign the sentence is taken for one in the present, since Spanish marks its past on the verb: a day is
the coming one, a month the latest.
"""

from __future__ import annotations

import re

from treering.language.listed import listed
from treering.language.when.time_context import TimeDirection
from treering.language.when.tokens import TimeToken

_BACK = listed(
    "fue fui fuiste fuimos fueron era eras eran éramos estuve estuviste estuvo estuvimos estuvieron tuve tuvo "
    "tuvimos tuvieron hice hiciste hizo hicimos hicieron dije dijo dijimos dijeron vi viste vio vimos vieron di dio "
    "dimos dieron puse puso pusimos pusieron pude pudo pudimos pudieron vine vino vinimos vinieron quise quiso supe "
    "supo supieron traje trajo trajeron iba iban íbamos anduve anduvo hube hubo había habían ayer anoche anteayer "
    "pasado pasada"
)
_AHEAD = listed(
    "próximo próxima proximo proxima plan planes plazo cita recordatorio recuérdame recuerda quiero queremos pienso "
    "planeo espero empieza empiezan comienza sale vence llega termina abre viene cierra voy viajo vuelvo salgo "
    "regreso empiezo mudo caso jubilo"
)
_GOING = listed("voy vas va vamos van")
_HAVE = listed("he has ha hemos han")
_PARTICIPLE = re.compile(r"[a-zñ]{2,}[aií]do|hecho|dicho|visto|puesto|escrito|vuelto|roto|abierto|muerto")
_FUTURE = re.compile(r"(?:\w{2,}[aei]|i|vend|tend|pond|sald|pod|hab|quer|sab|ha|di)r(?:é|ás|á|emos|án)")
_PAST = re.compile(r"\w{2,}(?:ó|é|í|aste|iste|aron|eron|aba|abas|ábamos|aban|ía|ías|íamos|ían)")
_JOINT_PAST = re.compile(r"\w{2,}(?:amos|imos)")
"""As well the present: a sign only where no other is."""
_R_STEMS = re.compile(
    r"(?:esper|tir|prepar|mir|retir|repar|gir|compar|separ|declar|dispar|super|oper|recuper|consider|gener|respir|admir)é"
)
_NO_VERB = listed(
    "día días todavía tía vía mía guía policía energía compañía fotografía categoría economía alegría librería "
    "cafetería garantía mayoría teoría batería café qué porqué así aquí allí ahí casi sí mí también té bebé además "
    "vamos somos estamos tramos ramos maría lucía garcía sofía josé comité rubí panadería peluquería ingeniería"
)


def strong(tokens: list[TimeToken], i: int) -> TimeDirection | None:
    word = tokens[i].raw.lower()
    following = tokens[i + 1].raw.lower() if i + 1 < len(tokens) else ""
    if word in _GOING and following == "a":
        return TimeDirection.FUTURE
    if word in _HAVE and _PARTICIPLE.fullmatch(following):
        return TimeDirection.PAST
    if word in _BACK:
        return TimeDirection.PAST
    if word in _NO_VERB or tokens[i].classes:
        return None
    if _FUTURE.fullmatch(word) and not _R_STEMS.fullmatch(word):
        return TimeDirection.FUTURE
    if _PAST.fullmatch(word):
        return TimeDirection.PAST
    return TimeDirection.FUTURE if word in _AHEAD else None


def weak(tokens: list[TimeToken], i: int) -> TimeDirection | None:
    word = tokens[i].raw.lower()
    return TimeDirection.PAST if word not in _NO_VERB and _JOINT_PAST.fullmatch(word) else None
