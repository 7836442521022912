"""By which words is a text known to be Spanish? Those that English has not, and those it has only in names."""

from __future__ import annotations

import re

from treering.language.frequent import Frequent
from treering.language.listed import listed

_COMMON = listed(
    "el la los las de del que en y o un una unos unas por con para al se lo le les su sus mi mis tu tus es nos te "
    "si sin como yo mes mayo abril julio domingo tarde noche casa va van voy ha han muy todo toda todos todas eso "
    "esa ese ella soy hay llama señor señora dos tres cuatro cinco seis siete ocho nueve diez ya fin par"
)
_TELLING = listed(
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
_PLAIN = listed("que es un una por con para se lo le su mi el en y al del")
_BORROWED = "café fiancé resumé résumé cliché josé andré rené beyoncé sauté rosé touché passé soufflé pelé noé zoé"
_NONE_BORROWED = "".join(rf"(?<!\b{word})" for word in _BORROWED.split())
_SIGNS = re.compile(
    r"[¿¡]"
    r"|[Aa](?<!\w.) las? (?:\d|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce)"
    r"|(?:[EeAa]l(?<!\w..)|[Dd]el(?<!\w...)) \d|[Ee]n(?<!\w..) (?:19|20)\d\d\b"
    r"|[Ee]l(?<!\w..) domingo\b|fin(?<!\w...) de (?:mes|año|semana)\b"
    r"|de(?<!\w..)(?<!cinco de) (?:mayo|abril|julio)\b|(?:mayo(?<!\w....)|(?:abril|julio)(?<!\w.....)) del? "
    rf"|[óéÓÉ](?<=[^\W\d_]{{4}})(?i:{_NONE_BORROWED})(?![^\W\d_])"
    r"|(?:(?:ción|CIÓN|ieron|IERON)(?<=[^\W\d_]{6})|(?:[ai]mos|[AI]MOS)(?<=[^\W\d_]{7}))(?![^\W\d_])"
)
"""Signs, articles before figures, months and days that alone could be names, though "Cinco de Mayo" is said in English;
and endings: "llegó", "cené", "firmamos", "canción". Ramos is a name. What stands before is asked last."""
FREQUENT = Frequent(_COMMON, _TELLING, _PLAIN, _SIGNS)
