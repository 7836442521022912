"""Which words lead up to a name of one kind? Classes of words for the patterns of `clues`, which write `<class>`.

One list a class, words and short phrases between blanks and bars; a class may use another.
"""

from __future__ import annotations

import re

_CLASSES = {
    "noun": r"(?P<noun>[\w-]+)",
    "few": r"([\w'-]+ ){0,3}",
    "the": r"( the| a)?",
    "that": "that|which|who|we|i|they|he|she|is|was|are|were|also|actually",
    "my": "the|a|an|my|our|his|her|their|your|this|that|some",
    "work": """
        work|works|worked|working|job|jobs|gig|position|role|intern|interned|interning|internship|employed|career|
        shifts?|promoted|hired|interviewed|interviewing|interview|applied|offer|contract|contracting|consulting|
        freelancing|started|starting|starts|stint|year|years|months|notice|resigned|retired|fired|boss|manager|
        colleagues?|coworkers?|volunteer|volunteers|volunteering|volunteered|tenure|head|lead|leads|vp|ceo|cto|cfo|
        pm|transferred|back""",
    "department": """
        engineering|product|design|marketing|sales|support|hr|finance|cent(re|er)|kitchen|floor|desk|line|reception|
        counter""",
    "trade": r"""
        [\w-]+(er|or|ist|ian|ant)|chef|nurse|clerk|analyst|lead|rep|intern|cook|pm|ceo|cto|hr|qa|vp|dev|agent|head""",
    "study": """
        studied|studies|study|studying|degree|phd|doctorate|masters?|master's|bachelors?|bachelor's|msc|bsc|mba|
        graduated|graduate|graduating|enrolled|student|professor|lecturer|teach|teaches|teaching|taught|freshman|
        semester|accepted|admitted|course|postdoc|scholarship|major|majored""",
    "join": """
        joined|joining|joins|(drive|driving|deliver) for|
        left|leaving|leave|quit|quitting|founded|co-founded|hired by|fired by|acquired by|
        bought by|signed with|signing with|no longer with|employer is|bank with|banking with|donate to|donated to|
        volunteer for|savings (from|to|at|with)|account (at|with)|shares in""",
    "be": r"'m|'re|'s|m|is|are|am|was|been|still|now|stay|staying|stays|pints|over|spent \w+ \w+",
    "eat": "ate|eat|dinner|lunch|brunch|drinks|coffee|booked a table|reservation|meal|shop|shopping|off",
    "live": """
        live|lives|lived|living|based|born|raised|grew up|grow up|moved|moving|move|relocated|relocating|relocate|
        settled|stay|stays|stayed|staying|flat|apartment|house|home|cottage|cabin|lease|rent|headquartered|offices?|
        bungalow|villa|farm|barn|weather|winters?|summers?|hometown|residency|stationed|located|camping|rental""",
    "travel": """
        flew|fly|flies|flying|flight|flights|drove|drive|driving|train|trains|ferry|bus|trip|trips|travel|travels|
        travell?ed|travell?ing|vacation|vacationed|holiday|holidays|weekend|weekends|hike|hiked|hiking|cycled|
        cycling|sailed|going|went|go|goes|gone|headed|heading|ticket|tickets|layover|honeymoon|wedding|conference|
        walk|walked|backpacking|backpacked|week|weeks|stopover|landed|arrived|depart|departs|return|returned|back""",
    "visit": """
        visited|visiting|visit|toured|touring|leaving|exploring|explored|miss|left|considering|doing|done|hiked|
        climbed|walked|in""",
    "beside": """
        near|around|outside|towards?|throughout|across|(north|south|east|west|city|town|village|island|streets|
        capital|coast|suburbs?|part|map|corner) of|(clinic|flat|house|office|shop) on|(path|round) by""",
    "stage": "opened for|sang|sings|singing|performed|performing|played|plays|playing|gig|concert|show|festival|party",
    "use": """
        use|uses|used|using|switch|switched|switchd|switching|migrate|migrated|migrating|ported|porting|rewrote|
        rewriting|rewrite|rewritten|built|build|building|deploy|deployed|deploying|written|wrote|write|writing|code|
        coded|coding|program|programming|install|installed|installing|upgrade|upgraded|upgrading|learn|learned|
        learnt|learning|run|runs|running|moved everything|dumped|dropped|dropping|replaced|replace|adopted|adopting|
        uninstalled|configure|configured|debug|debugging|hosted|track|tracking|back""",
    "onto": "from|to|in|with|on|onto|over to|into|off|back to",
    "built on": r"""
        written in|built with|built on|runs? on|running on|deployed (to|on|with)|hosted on|coded in|
        migrat\w+ (\w+ )*(to|from)|switch\w* (\w+ )?(to|from)|rewr\w+ (\w+ )*in|(decent|good|ok|okay|bad|
        terrible) at|fluent in|experience with|plugin for|config for|integrates? with|stack:|via|back on|
        gone over to|moved (\w+ )?over to""",
    "get": """
        bought|buy|buying|got|getting|get|gets|ordered|own|owns|owned|have|has|had|having|ride|rides|riding|drive|
        drives|driving|sold|selling|sell|splurged on|wearing|typing on|playing|upgraded to|picked up|received|want|
        wanted|traded in|restored|restoring|repaired|fixed|broke|lost|with|'ve|try|tried""",
    "looks": """
        new|old|used|secondhand|second-hand|vintage|battered|cheap|fancy|black|white|red|blue|green|silver|nice|
        little|refurbished|brand new|second|proper|big|small""",
    "make": r"""
        project|operation|codenamed?|working on|side project|support for|repo|ship|shipping|shipped|released|
        releasing|launching|launched|maintain|maintaining|kickoff notes for|sprint planning for|planning for|
        update on|progress on|demo of|release \d\S*|roadmap for""",
    "meet": """
        met|married|dating|hugged|thanked|bumped into|ran into|according to|engaged to|seeing|asked|told|
        hung out with|(lunch|dinner|call|chat|coffee|phone|meeting|drinks) with|(baby|house|dog)-?sitting for""",
    "among": """
        met|saw|with|married|dating|hugged|thank|thanked|ask|asked|told|tell|texted|emailed|phoned|invited|visit|
        visiting|see|seeing|ping|ping me not|love you|divorced|for|from|between|meeting|by|off to|and|nobody uses|
        like|until|that|think|sure|says|but|of|than|babysitting|miss|owes?|kissed|named after|called|calls?|because|
        about|when|if|said|so|happy birthday|birthday|congrats|hi|hey|hello|dear|thanks|cc|to""",
    "title": """
        mr|mrs|ms|mx|miss|dr|prof|professor|sir|dame|madam|doctor|pastor|father|sister|captain|uncle|aunt|auntie|
        tante|grandma|grandpa|nurse|judge|senator""",
    "done by": """
        run|led|written|managed|owned|organi[sz]ed|reviewed|directed|painted|cooked|taught|hosted|headed|covered""",
    "kin": r"""
        wife|husband|girlfriend|boyfriend|partner|fianc\w+|mum|mom|mother|dad|father|parents|sister|brother|son|
        daughter|kids?|children|baby|cousin|aunt|uncle|boss|friends?|birthday|wedding|funeral|house|flat|apartment|
        number|band|passport|residency|pregnant|place|party|dog|cat|car|phone|exam|surgery""",
    "friend": "friend|cousin|brother|sister|dentist|boss|neighbou?r|colleague|therapist|coach|teacher",
    "do": """
        said|says|say|told|tells|thinks|thought|asked|asks|texted|emailed|called|calls|phoned|wants|wanted|loves|
        loved|hates|hated|likes|liked|lives|lived|prefers|reckons|swears|knows|knew|feels|felt|hopes|married|
        divorced|graduated|turned|turns|is pregnant|was born|died|passed away|smiled|laughed|cooked|teaches|studies|
        invited|recommended|suggested|mentioned|agreed|plays|eats|owes|picks|brings|joined|left|quit|retired|got|
        had|owns|reviews|never|also|might|does|did|will|'ll|can|can't|keeps|finished|works|worked|moved|broke|runs|
        took|gave|made""",
    "is": r"""
        my|our|his|her|their|pregnant|married|moving|dating|engaged|allergic|sick|ill|happy|sad|angry|tired|
        \d{1,2}(?![\d.:%,]|\w)|vegan|vegetarian|pescatarian|retired|turning|coming|visiting|picking|covering|
        staying|seeing|handing|selling|going|getting""",
    "circle": """
        work|choir|accounting|church|school|class|hr|marketing|sales|support|it|finance|legal|college|yoga|gym|team""",
    "undertaking": """
        report|audit|review|inquiry|bid|proposal|tender|project|migration|rewrite|release|launch|rollout|sprint|roadmap|codebase|repo|backlog|deadline|
        initiative|merger""",
    "of a town": "office|branch|area|airport|metro|suburbs|weather|winters?|marathon|skyline|waterfront|region|coast",
    "of a tool": """
        keys?|api|sdk|cli|plugin|config|server|cluster|bucket|query|queries|code|scripts?|lessons?|tutorial|cert|
        certification|developer|engineer|extension|support""",
    "of a firm": """
        parent|parent company|headquarters|hq|offices?|ceo|cto|shares|stock|customer|employees|website|app|menu|staff|
        board|layoffs""",
}


_AS_THEY_ARE = ("noun", "few", "the")


def spelled_out(pattern: str) -> str:
    """The pattern with every class in it, however deep, in full."""
    while True:
        fuller = re.sub(r"(?<!P)<([a-z ]+)>", lambda found: _in_full(found[1]), pattern)
        if fuller == pattern:
            return pattern
        pattern = fuller


def _in_full(name: str) -> str:
    words = re.sub(r"\|\s*\n\s*", "|", _CLASSES[name].strip())
    return words if name in _AS_THEY_ARE else f"({words})"
