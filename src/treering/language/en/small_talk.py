"""What do people say in English when they say nothing? Empty phrases by what they are: greetings, thanks, nods."""

from __future__ import annotations

from treering.language.small_talk_phrases import SmallTalk

_CLASSES = {
    "day": "(mon|tues|wednes|thurs|fri|satur|sun)day",
    "good": """(good|great|nice|cool|awesome|amazing|perfect|lovely|wonderful|fantastic|excellent|brilliant|super|sweet|
        fine|neat|sick|dope|epic|incredible|beautiful|gorgeous|cute|adorable|hilarious|funny|fun|fair|right|true|wild|
        crazy|insane|impressive|inspiring|interesting|delicious|tough|rough|sad|wrong|terrible|awful|exciting|weird|odd|kind|
        thoughtful|helpful|useful|reassuring|relaxing|refreshing|rewarding|heartwarming|touching|encouraging)""",
    "very": "((so|really|very|pretty|super|just|truly|absolutely|totally|all|still|too|quite|such a|a|such) )*",
    "fellow": """(there|all|everyone|everybody|guys|folks|team|
        man|dude|bro|mate|buddy|pal|girl|friend|my friend|friends|
        sir|you all|y'all|you guys|love|dear|again|back)""",
    "end": "( (now|then|too|thanks|guys|all|everyone|folks|man|dude|bro|mate|bye|goodbye|cya|ciao|lol|haha))*$",
}

PHRASES = {
    "greeting": r"""
        (hi|hiya|hey|heya|hello|helo|yo|howdy|greetings|hola|aloha|sup|wassup)( <fellow>)*
        (a )?(very )?(good )?(morning|afternoon|evening|day)( to you)?( <fellow>)*
        gm / g'day / long time( no (see|talk|chat))?
        it's been (a while|ages|too long|forever)
        happy (<day>|weekend|holidays|new year|christmas|easter|halloween|thanksgiving)
        merry christmas / (have )?happy birthday( to you)?
        (so |and )?how (are|r|'re) (you|u|ya|things|we)( all)?( (doing|going|feeling|holding up))?( (today|
            tonight|lately|these days|this morning|now|going))*
        (so )?how('s| is| has|'ve| have) (it|you|life|everything|things|your (day|week|weekend|morning|
            evening))( been)?( going)?( (today|lately|so far|with you|since we (last )?(talked|chatted|spoke)))*
        how('d| was| did) (your (day|week|weekend|night|morning|evening)|it|that)( go| been| turn out)?
        how (you|ya) (doing|been) / how about (you|yourself|u|ya) / (and )?(what about )?(you|yourself|u)
        what('s|s| is| has|'ve)? (up|new|good|happening|going on|been (up|going on|happening))( (with you|today|
            lately|in your (life|world)))*
        what (have )?you been up to( lately)?
        (any|anything) (news|new|else|exciting)( with you| lately| going on| happening)*
        you (ok|okay|good|alright)
        (i )?hope (you('re| are|'ve been)?|all is|everything is|everything's|you and yours are|ur) (all )?(doing |
            having a )?(well|good|great|ok|okay|fine|alright|day|week|weekend|safe|good day|great day|
            great week)( too| today)?
        (it's |it is )?<very>(good|great|nice|lovely|awesome|wonderful|fun) (to (hear|see|meet|talk|chat|
            catch up)|hearing|seeing|meeting|talking|chatting|catching up)( (from|with|to))?( (you|ya|
            u))?( (again|too|as well|today|back))*
        welcome( (back|aboard|home|to the (team|club|group|chat)))?
        did you miss me / miss(ed)? (you|me|u)( too| so much)? / i'm back / back
    """,
    "farewell": r"""
        (good)?bye+([ -]bye)?( for now)? / good ?night / gn / night night / nighty night / nite / ciao / adios
        cya / laters? / peace( out)?
        (see|c|catch|talk to|speak to|text|call|chat) (you|ya|u|to you|with you)( (later|soon|tomorrow|tmrw|
            around|then|there|next time|next week|tonight|on the other side|all|guys|again))*
        (talk|chat|speak|catch up)( (to you|with you|more))? (later|soon|tomorrow|tmrw|then|next time|again soon)
        ttyl / later gator / (you )?take (good )?care( of yourself)?
        (stay|be) (safe|well|strong|awesome|cool|tuned)
        until (next time|then|tomorrow)
        (have|enjoy) (yourself|a|an|your|the|some)?( (really|very))?( ?(good|great|nice|lovely|wonderful|awesome|
            fantastic|amazing|fun|safe|rest of your|rest of the))* ?(one|day|night|evening|afternoon|morning|
            weekend|week|time|trip|holiday|vacation|flight|journey|fun|sleep|rest)( (too|ahead|all|everyone))*
        have fun / enjoy / sleep (well|tight) / sweet dreams / safe travels / godspeed / toodles / so long
        (ok )?(brb|afk|gtg|g2g|bbl|bbs) / be right back
        (i |i've )?(gotta|got to|have to|need to|should|must|'ll let you) (go|run|bounce|head out|
            get going)( now)?
        i'm (off|out|heading out)( to bed)?<end> / keep (me (posted|updated)|in touch)
        let's (keep in touch|catch up soon|talk soon|chat soon|talk later)
        let me know( how it goes)?
    """,
    "thanks": r"""
        (many |a million |ok |oh )?(thanks?|thank (you|u|ya|god|goodness)|thx|thnx|tnx|ty|tysm|tyvm|cheers|merci|
            gracias|danke)( (you|a (bunch|lot|lots|million|ton|mil)|so (so )?much|very much|heaps|tons|loads|
            kindly|indeed|again|all|everyone|anyway|in advance|to you|too|mate|man|dude|friend|buddy|
            guys))*(,? for (that|this|it|(all )?(the|your|ur) (\w+ ){0,2}(help|support|info|information|tips?|
            advice|update|reminder|heads[ -]up|words|encouragement|time|patience|understanding|kindness|feedback|
            suggestions?|recommendations?|chat|offer|positivity|explanation|compliment|invite|concern|thoughts)|
            everything|sharing( (that|this|it))?( with me)?|asking|understanding|listening|checking( in)?|
            being (there|here|so kind|so supportive|supportive|you)|always (being there|listening|supporting me)|
            having me|coming|noticing|letting me know|replying|the vote of confidence|believing in me|clarifying|
            explaining))?
        (i )?(really |so |truly |much |totally )*appreciate[ds]?( (it|that|this|you|u|ya|(all )?(the|
            your) (\w+ ){0,2}(help|support|words|encouragement|kindness|time|feedback|advice|input)))?( (so much|
            a lot|very much|man))*
        (you('re| are)|ur|u r) (so |really |very |such |truly |too |simply |the |a |an |my )*(lifesaver|
            life saver|best|star|legend|gem|angel|hero|genius|rockstar|champ|kind|sweet|nice|awesome|amazing|
            great|welcome|helpful|good friend|great friend|true friend|inspiration|saint|right|funny|
            hilarious)( too| as well| about that)?
        (you|u) (rock|rule|saved me|made my day) / bless (you|u) / god bless
        (aww? )?(that's|thats|that is|it's|how) (so |very |really |such a )*(sweet|kind|nice|lovely|thoughtful|
            good|great|wonderful) (thing )?of (you|u)( to (say|do|ask|offer|notice|think of me))?( (that|so))?
        (that|this|it) (really |totally |actually |all )?(worked|helps|helped|works|did it|fixed it|solved it|
            did the trick|means (a lot|so much|the world|a ton))( (a lot|perfectly|great|well|fine|now|so much|
            for me|to me|like a charm))*
        no (problem|problemo|worries|worry|prob|probs|need|biggie|sweat|trouble)( at all)?
        don't (mention it|worry( about it)?) / my pleasure / any ?time / yw / np / nw / not at all
        it was nothing
        (i'm |always |so )*(happy|glad|here) (to|i could|i can) (help|be of help|support you|hear( (it|that))?)
    """,
    "acknowledgement": r"""
        ok(ay|ie|ies|i|ey|e)?( (then|so|cool|great|good|thanks|sure|fine|now|well|but))*
        k+ / kk / alrighty? / all ?right( then)? / righto? / right( on| then| back at (you|ya))?
        (oh )?(yes+|yeah+|yea|yep|yup|yah?|ja|ye|aye|yass*|si)( (please|sure|indeed|of course|definitely|totally|
            absolutely|exactly|same|right|ok|okay|it is|i do|i am|i did|i will|it was|it does|you are|we do|
            they are|that's right))*
        (oh )?(no+|nope|nah|nay|naw)( (thanks|thank you|way|really|not really|i'm good|all good|worries|it's fine|
            it's ok|it's okay|that's (all|it|fine|ok)|nothing else|doubt|kidding|rush|need|idea|clue))*
        (i )?(got (it|you|ya|that)|gotcha|get (it|that)|see|understand|hear (you|ya)|feel (you|ya)|agree|know|
            knew it|guess( so)?|think so( too)?|hope so|suppose( so)?|bet|totally (get|understand|
            agree)( it| that)?|(couldn't|could not) agree more|feel the same( way)?|will|do( too)?|did|am|promise|
            swear)( (now|what you mean|right|exactly|totally))*
        understood / noted / ack / makes? (total |perfect |a lot of )?sense / fair( (enough|point|play))?
        point taken / roger( that)? / copy( that)? / will do / on it / done / deal / say no more / amen / word
        (that |this |it |all )?(sounds?|looks?|seems?|feels?) <very>(<good>|like (a plan|fun|a (good|great|blast|
            lot of fun|great plan|good idea|great idea)( (idea|plan|time))?)|delicious|amazing|yummy)( (to me|too|
            so far))*
        (oh |aww? |wow )?((that|it|this|what|all)('s|s| is| was| are| were|'re)?|how|you're|so|very|really|pretty|
            super|such|what) <very>(a |an )?<good>( (idea|plan|point|question|news|job|work|stuff|choice|one|
            way to (put|look at) it|thing|feeling|attitude|story|view|pic|picture|photo|shot|surprise|day|time|
            too|man|though|to (hear|know|see)( that)?))*
        <very><good>( (idea|plan|point|call|question|news|job|work|stuff|choice|one|then|man|dude|to (hear|know|
            see)( (that|it))?|pic|picture|photo|shot|view|luck( with (that|it|everything))?|going|by me|with me|
            for me|now|too|indeed))*
        (works|fine|ok|okay|good) (for|by|with) (me|us)
        all (good|set|clear|fine|done)( (here|now|thanks|on my end))*
        (i'm |we're )(all )?(good|fine|ok|okay)( (thanks|too|now|here))*
        (i'm |we're )(all )?(in|down|ready|game|set|here|listening)<end>
        same( (here|to you|same|thing|for me))* / me (too|neither|either) / you too / ditto / likewise / agreed?
        totally / absolutely / definitely / exactly / precisely / indeed / obviously / certainly / naturally
        clearly / literally / seriously / really / honestly / truly / surely?( thing)? / of course / for sure
        fo sho / no doubt / true( that)? / correct / bingo / yay+ / woo+(hoo+)? / hooray / hurray / yeehaw
        (great |perfect )?(that's |this is |is )?exactly (what i (wanted|needed|meant|thought|was (thinking|
            looking for))|right|that|it|how i feel)
        (please )?take your time / no rush / whenever( you're ready)? / whatever( works)? / up to you
        your call / go (ahead|on|for it) / carry on / let's (go|do (it|this|that)|see) / bring it( on)? / sold
        count me in / you bet / you got it / you know it
        (i )?(really |absolutely |totally |just )?love (it|that|this|to (hear|see) (it|that))( (so much|too|
            a lot))*
        (i )?(really )?like (it|that)
        (so )?(good|nice|great|interesting) to know
        tell me (more|about it) / go on / do tell
        <very>(happy|excited|glad|pleased|thrilled|stoked|proud|sorry|sad) (for (you|ya|u)|of (you|ya)|
            to hear( (that|it|from you))?|about that)( (too|guys|all))*
        (i'm |i am )<very>(happy|excited|glad|pleased|thrilled|stoked|proud|sorry)( (for (you|ya|u)|of (you|ya)|
            to hear( (that|it|from you))?|about that|too))*
        (big |huge |many )?(congrats|congratulations|gz|grats)( (to you( (both|all|guys))?|again|man|buddy|
            you (two|guys)|on that))*
        well (done|said|deserved|played) / way to go / nice (one|work|job|try) / bravo / kudos( to you)?
        props( to you)?
        keep (it up|going|up the (good|great|awesome|amazing) work|pushing|at it|shining|rocking|smiling)
        you('ve)? (got|can do) (this|it) / go (you|girl) / hang in there / stay strong
        good luck( (to you|with (that|it|everything|it all)))?
        best of luck / fingers crossed / (i )?believe in you / rooting for you
        (i'm )?(always )?here for you( (always|too|no matter what))*
        you deserve (it|this|that)
        (i )?can('t|not) wait( (to (see|hear) (it|that|more|you|them)|either|too))*
        looking forward to it
        (it|that)('ll| will) be (fun|great|awesome|fine|ok|okay|alright)
        i'd love (to|that)( too)? / never ?mind / nvm / forget (it|about it) / my bad / oops(ie)? / whoops
        (i'm |so |very |really )*sorry( (about that|again|mate|man|my bad|for the (delay|late reply|confusion|
            trouble)))*
        apologies / pardon( me)? / excuse me
        (it's|its|that's) (ok|okay|fine|alright|all good|no problem|nothing|not a problem|no big deal)
        (just )?(hang on|hold on|wait( (a|one) (sec|second|minute|moment|min))?|(one|a|just a|gimme a|
            give me a) (sec|second|moment|min|minute))( please)?
        (ok )?let me (check|think|see|look)( (on that|about it|that|it))?
        idk / dunno / (i )?(have )?no (idea|clue) / not sure / maybe / perhaps / possibly / probably
        i don't know / who knows / we'll see / it depends / could be / might be / hopefully
        i (hope|think|guess) (so|not) / [+-] ?1+ /  ?100 ?%? / 10/10 / this / that / \^+ / first / bump
        test(ing)?( (test|testing|1|2|3|one|two|three))*
        ping / pong
        are you (there|sure|ok|okay|serious|kidding( me)?)
        you (there|sure|think|serious) / anyone (there|here)
    """,
    "laughter": r"""
        (b?w?a?(ha|he|hi|ho|ah|hah|heh){2,}[haeio]*|ha|heh|hah|hee|haha\w*|heh+|lo+l+(ol)*z?|lmf?ao+|rofl|roflmao|
            lul|kek|xd+|:d+|tehe+|teehee|hihi+|jaja+|kkk+|l+m+a+o+)
        (so |too |that's |very )*(funny|hilarious)
        (i'm )?(dying|dead|crying|cracking up|laughing|screaming)
    """,
    "filler": r"""
        h+m+ / m+h*m+ / uh+( huh| oh)? / u+m+ / e+r+m* / e+h+ / a+h+ / o+h+ / oo+h*+ / a+w+ / aa+ / ugh+ / meh
        phew / whew / wow+(za)? / whoa+|woah+ / omg / omfg / oh? my (god|gosh|goodness) / my (god|gosh|goodness)
        gosh / geez / jeez / jesus / damn / dang / darn / holy (moly|cow|shit|crap) / shit / fuck / wtf / yikes
        ouch / oof / eek / yuck / eww* / yum+(my)? / hu+h / pff+t* / psh / tsk / welp / well+ / anyways?
        anyhow / soo? / now / then / and / but / or / like / just / too / also / again / please / pls / plz
        btw / tho / though / lately / here / there
        oh (well|no|yes|dear|man|boy|nice|cool|wow|really|snap|yeah|right|my|ok|okay|great)
        guys / everyone / everybody / folks / dude / man / bro / bruh / mate / buddy / pal / girl / sis / friend
        my friend / ya / ya'll / fam / boss / chief / sir / ma'am / all / both / no way / get out / shut up
        stop it / come on / c'mon / for real / fr / ikr / right / i know( right)? / you know( what)? / i mean
        let me tell you / guess what / to be honest / tbh / imo / ngl / fyi / not gonna lie
        as (always|usual|ever) / by the way / in fact / <very>much / <very>cool / why not / why / what / who
        how come / when / where / say what / what the / huh
    """,
}

SMALL_TALK = SmallTalk(
    PHRASES,
    openings=r"""hi|hey|hello|hiya|heya|morning|evening|afternoon|thanks|thank\syou|thx|bye|goodbye|night|congrats|
        congratulations|wow|cool|nice|great|awesome|amazing|aww?|oh|see\s(you|ya)|welcome|
        sorry|haha|lol|later|soon|tomorrow|much|lot|bunch|back|there|again|agree|totally|absolutely|definitely|
        exactly|care|happy\sbirthday|good|luck|done|job|too|whoa|woah|up""",
    answers="yes|yeah|yep|no|nope|sure|this|it|that|you|one|right|ok|okay",
    classes=_CLASSES,
)
