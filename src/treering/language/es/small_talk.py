"""What do people say in Spanish when they say nothing? Empty phrases by what they are, written as the English ones."""

from __future__ import annotations

from treering.language.small_talk_phrases import SmallTalk

PHRASES = {
    "greeting": r"""
        (muy )?buen(os|as)?( (d[ií]as?|tardes|noches))?( a todos| a todas)?
        hola( a todos| a todas| de nuevo| otra vez)? / qu[eé] hay / qu[eé] onda / bienvenid[oa]s?
        (y )?(qu[eé] tal|c[oó]mo (est[aá]s|est[aá]is|est[aá]n|te va|va todo|vas|andas))( todo| hoy)?
        feliz (cumplea[nñ]os|navidad|a[nñ]o( nuevo)?|lunes|viernes|finde|fin de semana)
    """,
    "farewell": r"""
        (hasta|nos vemos) (luego|pronto|ma[nñ]ana|otra|el lunes|despu[eé]s) / nos vemos / adi[oó]s / ch?au
        (un )?(abrazo|beso|saludo)s?( a todos| grande| fuerte)? / cu[ií]date( mucho)?
        que (descanses|te vaya bien|tengas (un )?buen (d[ií]a|finde))
    """,
    "thanks": r"""
        (muchas |mil )?gracias( por (todo|tu ayuda|la ayuda))?( de verdad| igualmente| a ti)?
        te lo agradezco( mucho)? / muy amable / de nada / no hay de qu[eé] / por favor / igualmente
    """,
    "acknowledgement": r"""
        (s[ií]|vale|ok|okay|okey|claro( que s[ií])?|por supuesto|de acuerdo|entendido)
        (perfecto|genial|estupendo|exacto|listo|bueno) / no / ya / ya veo / eso es / tienes raz[oó]n
        (muy|qu[eé]) (bien|bueno|chulo|guay|rico) / me alegro( mucho)?( por ti)? / (est[aá]|todo) bien
        enhorabuena / felicidades / no pasa nada / sin problema / lo siento( mucho)? / qu[eé] (pena|l[aá]stima)
    """,
    "laughter": r"""
        (ja|je|ji){2,}j? / (jaja|jeje)(ja|je)*s?
    """,
}
SMALL_TALK = SmallTalk(
    PHRASES,
    openings="hola|buenas|d[ií]as|tardes|noches|tal|gracias|adi[oó]s|ch?au|luego|pronto|ma[nñ]ana|vemos|enhorabuena|"
    "felicidades|bienvenid[oa]|igualmente|genial|perfecto|bien|cu[ií]date|siento|abrazo|beso|saludos?",
    answers="s[ií]|no|vale|claro|ok|eso|ya|bueno",
)
