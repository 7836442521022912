"""Which words tell what a thing is? Family, pets, homes, trades, diets: closed lists that rules and guards look up."""

from __future__ import annotations

APOSTROPHE = "\u2019"


def words(text: str) -> frozenset[str]:
    return frozenset(" ".join(word.split()) for word in text.split(","))


# --- people

PARTNERS = words(
    """
    wife, husband, partner, girlfriend, boyfriend, fiance, fiancé, fiancee, fiancée, spouse, gf, bf, hubby, missus,
    other half, better half, wifey
    """
)
_LOVING = words("life, domestic, long, term, longterm, romantic, ex")
CHILDREN = words(
    """
    daughter, son, kid, child, toddler, baby, eldest, youngest, oldest, firstborn, stepson, stepdaughter, little
    one, newborn, boy, girl
    """
)
PARENTS = words(
    """
    mother, father, mum, mom, dad, mama, papa, stepdad, stepmom, mummy, daddy
    """
)
KIN = (
    PARTNERS
    | CHILDREN
    | PARENTS
    | words(
        """
    sister, brother, cousin, aunt, uncle, auntie, niece, nephew, grandma, grandpa, gran, grandmother, grandfather,
    granny, nan, nana, nonna, grandad, parents, grandparents, in-laws, mother-in-law, father-in-law, sister-in-law,
    brother-in-law, sister in law, brother in law, SIL, BIL, twin, siblings, kids, children, family, godson,
    goddaughter, stepsister, stepbrother, ex, roommate, flatmate, housemate, neighbor, neighbour, landlord,
    landlady, colleague, coworker, classmate, teammate
    """
    )
)
FRIENDS = words(
    """
    friend, friends, buddy, mate, pal, bestie, best friend, bff, oldest friends, best mate, best friends, mates,
    buddies, pals
    """
)
BOSSES = words(
    """
    boss, manager, line manager, team lead, supervisor at work, skip-level
    """
)
SUPERVISORS = words(
    """
    supervisor, advisor, adviser, thesis advisor, thesis supervisor, PhD advisor
    """
)
PETS = words(
    """
    cat, dog, puppy, kitten, mutt, greyhound, parrot, hamster, rabbit, bunny, fish, goldfish, betta fish, betta,
    horse, pony, tortoise, turtle, lizard, gecko, snake, ferret, guinea pig, labrador, lab, poodle, collie, beagle,
    terrier, spaniel, retriever, rescue mutt, rescue, pet, cats, dogs, kittens, puppies, pup, bird, budgie, canary,
    chicken, hen, hens, chickens, goat, goats, dachshund, corgi, husky, shepherd, tabby, whippet, lurcher, pug,
    chihuahua, bulldog, cockatiel, gerbil, rat, rats, rooster, bearded dragon, chameleon, axolotl, hedgehog, pets
    """
)

# --- homes and things

DWELLINGS = words(
    """
    house, flat, apartment, place, home, condo, bungalow, cottage, studio, room, townhouse, loft, cabin, farmhouse,
    houseboat, duplex, care home, nursing home, own place, own flat, address, new place, pad, digs, bedsit,
    maisonette
    """
)
DEVICES = words(
    """
    phone, laptop, car, bike, camera, computer, desktop, tablet, watch, guitar, van, truck, motorbike, scooter,
    chromebook, thinkpad, kindle, ipad, iphone, console, keyboard, monitor, printer, headphones, piano, boat, cello,
    violin, e-bike, pc, macbook, telescope, drone, router, ride
    """
)
GOODS = words(
    """
    tent, bell tent, sofa, desk, chair, table, bed, fridge, oven, grill, mattress, lamp, ring, bag, backpack, kayak,
    canoe, surfboard, skateboard, rug, painting, machine, steam deck, deck, switch, playstation, xbox, speaker,
    speakers, tv, television, projector, caravan, camper, motorcycle, tractor, lawnmower, drill, saw, mixer, lens,
    tripod, iphone, ipad, gpu, moped, trumpet, saxophone, flute, drums, ukulele, accordion, banjo
    """
)
USED_UP = words(
    """
    tickets, ticket, groceries, food, coffee, lunch, dinner, drinks, flowers, gift, gifts, present
    """
)
INTANGIBLE = words(
    """
    skill, skills, habit, habits, idea, ideas, knowledge, experience, influence, resources, time, energy, words, voice,
    imagination, creativity, help, advice, support, approach, method, methods, way, ways, pace, speed, slack, tab, bill,
    signal, vibe, vibes, recipe, recipes, tips, trick, tricks, setup, stuff, thing, things, money, opportunity,
    chance, break, news, pieces
    """
)
"""What can be used or picked up, and yet is neither a tool nor owned."""
SERVICES = words(
    """
    netflix, spotify, disney+, disney plus, hulu, hbo, hbo max, mubi, apple tv, apple tv+, youtube premium, audible,
    kindle unlimited, prime, amazon prime, icloud, dropbox, google one, nyt, nyt games, headspace, calm, duolingo,
    duolingo super, strava premium, apple music, tidal, deezer, crunchyroll, paramount+, peacock, patreon, substack,
    playstation plus, xbox game pass, game pass, nintendo switch online, chatgpt plus, adobe creative cloud,
    creative cloud, office 365, microsoft 365, linkedin premium, medium, scribd, britbox, hellofresh, nordvpn,
    1password, bitwarden, the economist, new york times, washington post
    """
)

COMMUNITIES = words(
    """
    reddit, discord, slack, twitter, x, facebook, instagram, linkedin, tiktok, snapchat, whatsapp, telegram, signal,
    mastodon, bluesky, threads, tinder, bumble, hinge, okcupid, youtube, twitch, pinterest, tumblr, quora, github,
    stack overflow, stackoverflow, meetup, strava, goodreads, letterboxd, nextdoor, clubhouse, wechat, line, vk,
    couchsurfing, hacker news, wikipedia, zoom, teams, skype, kik, vinted, steam, roblox, minecraft, equinox, ymca,
    planet fitness, crossfit, costco
    """
)
"""Sites and clubs that people join without working for them."""
VENUES = words(
    """
    starbucks, costco, ikea, disneyland, disney world, disney, legoland, six flags, walmart, target, aldi, lidl, tesco,
    sainsbury's, asda, waitrose, rewe, edeka, carrefour, kroger, safeway, publix, whole foods, trader joe's, home depot,
    lowe's, best buy, walgreens, cvs, boots, sephora, h&m, zara, uniqlo, primark, macy's, nordstrom, marks & spencer,
    mcdonald's, mcdonalds, burger king, kfc, subway, wendy's, chipotle, taco bell, chick-fil-a, dunkin, dunkin donuts,
    dunkin' donuts, panera, domino's, pizza hut, popeyes, five guys, nando's, greggs, costa, pret, tim hortons, ihop,
    denny's, applebee's, hilton, marriott, hyatt, sheraton, westin, radisson, novotel, ibis, holiday inn, ritz, ritz
    carlton, four seasons, motel 6, best western, travelodge, premier inn, equinox, planet fitness, crossfit,
    ymca, heathrow, gatwick, jfk, lax, o'hare, schiphol, verizon, t-mobile, at&t, vodafone, o2, comcast, xfinity,
    geico, state farm, chase, wells fargo, barclays, hsbc
    """
)
"""Shops, inns, halls and firms where most people are guests or customers."""

# --- groups and work

TEAMS = words(
    """
    team, squad, club, choir, band, association, union, party, society, league, board, committee, guild, gym, group,
    troupe, crew, orchestra, church, chapter, co-op, cooperative, department, book club, quartet, gang
    """
)
MANAGED = words(
    """
    team, office, department, clinic, group, unit, division, branch, lab, squad, school, programme, program, shop,
    desk, crew, committee, kitchen, ward, infra, project, company, region, org, chapter, site, restaurant, hotel,
    studio, practice
    """
)
BESIDE_WORK = words(
    """
    student, undergrad, undergraduate, postgrad, phd student, phd candidate, grad student, freshman, sophomore, pupil,
    guitarist, pianist, violinist, bassist, cellist, drummer, singer, dancer, poet, photographer, gardener, musician,
    dj, blogger, sailor, artist, painter
    """
)
"""What people are before they work, or beside it: no reason to close what they work as."""
ROLE_WORDS = words(
    """
    nurse, vet, chef, cook, lead, head, cto, ceo, cfo, coo, cmo, vp, pm, dev, sre, student, intern, architect, boss,
    dentist, gp, surgeon, physio, paramedic, midwife, pilot, captain, mayor, judge, clerk, porter, steward, barista,
    butcher, mechanic, plumber, electrician, carpenter, author, director, chair, chairman, chairwoman, president,
    secretary, treasurer, champion, analyst, consultant, assistant, accountant, attorney, lawyer, coach, tutor,
    professor, prof, lecturer, postdoc, fellow, researcher, scientist, engineer, developer, designer, programmer,
    manager, supervisor, contractor, freelancer, officer, agent, guard, soldier, firefighter, librarian, curator,
    editor, journalist, translator, interpreter, teacher, principal, trainee, apprentice, technician, operator,
    driver, planner, realtor, broker, trader, banker, auditor, actuary, economist, founder, cofounder, co-founder,
    owner, partner at, associate, specialist, coordinator, representative, rep, therapist, psychologist,
    psychiatrist, pharmacist, veterinarian, biologist, chemist, physicist, geologist, baker, bookseller, bartender,
    waiter, waitress, host, dj, musician, actor, actress, dancer, artist, photographer, florist, gardener, farmer,
    fisherman, sailor, welder, roofer, builder, tailor, luthier, glaciologist, maintainer, reviewer, moderator,
    admin, administrator, guy, deputy, referee, dean, provost, rector, minister, senator, councillor, ambassador,
    consul, priest, pastor, rabbi, imam, monk, nun, undergrad, phd student, sysadmin, dba, qa, recruiter, marketer,
    copywriter, ship's cook, lion tamer, stylist, hairdresser, barber, nanny, au pair, caretaker, janitor, cleaner,
    courier, dispatcher, controller, investigator, detective, inspector, ranger, lifeguard, trainer, instructor,
    producer, composer, conductor, soloist, novelist, writer, poet, historian, archivist, anthropologist,
    archaeologist, linguist, mathematician, statistician, astronomer, oceanographer
    """
)
NO_ROLES = words(
    """
    person, brother, sister, mother, father, partner, lover, winner, member, neighbour, neighbor, customer, user,
    friend, one, adult, number, dinner, paper, computer, printer, router, water, monster, daughter, summer, winter,
    power, river, corner, order, letter, matter, center, flower, teenager, beginner, newcomer, sucker, stranger,
    swimmer, runner, smoker, sleeper, homeowner, tiger, disaster, killer, loser, keeper, believer, fan, geek, nerd,
    mess, wreck, lifesaver, bummer, supporter, drinker, eater, reader, gamer, cancer, cleaner fish, dealbreaker,
    offer, answer, error, motor, color, colour, favor, favour, floor, door, flavor, flavour, mirror, tumor, visitor,
    goat king, wizard, legend, man, woman, boy, girl, kid, parent, human, dad, mum, mom, idiot, christian,
    vegetarian, vegan, norwegian, italian, russian, canadian, brazilian, australian, giant, restaurant, elephant,
    plant, want, optimist, pessimist, perfectionist, feminist, minimalist, list, tourist, motorist, cyclist, hobbyist,
    realist, idealist, atheist, buddhist, baptist, methodist, pacifist, socialist, communist, narcissist, nudist
    """
)

# --- made things

SYSTEMS = words(
    """
    api, service, site, website, app, backend, frontend, front, back, pipeline, repo, monorepo, ci, build, project,
    server, database, db, stack, cluster, prod, staging, production, deploys, infrastructure, infra, blog, shop,
    store, dashboard, bot, queue, storage, warehouse, platform, product, game, engine, client, library, mail, email,
    scripting, tests, docs, frontends, services, system, systems, codebase, firmware
    """
)

EXTENSIONS = words(
    "extension, plugin, plug-in, module, add-on, addon, library, package, feature, component, driver, connector, theme"
)
"""What a product has that bears a name of its own."""

# --- health and food

ILLNESSES = words(
    """
    asthma, diabetes, celiac, coeliac, celiac disease, migraine, migraines, arthritis, adhd, eczema, psoriasis,
    tinnitus, epilepsy, hypertension, anxiety, depression, insomnia, ibs, crohn's, hay fever, high blood pressure,
    sleep apnea, sleep apnoea, endometriosis, pcos, hypothyroidism, scoliosis, sciatica, dyslexia, autism, cancer,
    lupus, ms, gout, anemia, anaemia, hashimoto's, long covid, ocd, ptsd, vertigo, glaucoma, osteoporosis, rosacea,
    acid reflux, gerd, reflux, type 1 diabetes, type 2 diabetes, bipolar, bipolar disorder, fibromyalgia,
    narcolepsy, parkinson's, dementia, alzheimer's, allergy, back pain, heart condition, lactose intolerance,
    colitis, ulcerative colitis, hepatitis, afib, copd
    """
)
DIETS = words(
    """
    vegan, vegetarian, pescatarian, pescetarian, keto, paleo, kosher, halal, gluten-free, gluten free, carnivore,
    plant-based, plant based, low-carb, low carb, teetotal, flexitarian, fruitarian, dairy-free, dairy free, fodmap,
    veggie, raw vegan, whole30, mediterranean
    """
)
INGREDIENTS = words(
    """
    nuts, peanuts, walnuts, almonds, hazelnuts, cashews, pistachios, shellfish, shrimp, prawns, crab, lobster,
    sesame, gluten, dairy, milk, lactose, eggs, soy, wheat, fish, mustard, celery, kiwi, strawberries, tree nuts,
    pecans, mussels, clams, oysters
    """
)
FOODS = INGREDIENTS | words(
    """
    meat, bread, pork, beef, chicken, cheese, sugar, chocolate, onions, garlic, tomatoes, bananas, apples, spicy
    food, mushrooms, pasta
    """
)
CONSUMED = FOODS | words(
    """
    coffee, alcohol, smoking, tea, caffeine, soda, beer, wine, cigarettes, vaping
    """
)
EVERYDAY = words(
    """
    breakfast, lunch, dinner, supper, brunch, snack, meal, soup, salad, sandwich, toast, porridge, cereal, rice,
    noodles, pizza, burger, fries, chips, eggs, fruit, dessert, cake, biscuit, cookie, ice cream, water, juice, cocoa,
    leftovers, takeaway, takeout, nap, walk, stroll, shower, bath, sleep, bed, rest, break, laundry, dishes, washing,
    washing-up, groceries, shopping, errands, chores, bins, rubbish, trash, dusting, ironing, tv, telly, bus, train,
    tram, tube, metro, taxi, bike, traffic, queue, lift, home, work, kitchen, couch, sofa, shop, shops, supermarket,
    bakery, rain, sun, weather, snow, wind, morning, afternoon, evening, night, day
    """
)
"""What anybody has to do with on any day."""
EVERYDAY_ACTS = words(
    """
    have, eat, drink, cook, bake, make, order, grab, get, take, skip, sleep, nap, rest, walk, go, do, run, watch, wash,
    clean, tidy, vacuum, iron, shower, shop, wait, sit, lie, stay, catch, miss, ride, come, wake, be
    """
)
DRUGS = words(
    """
    warfarin, insulin, aspirin, ibuprofen, paracetamol, metformin, lisinopril, losartan, sertraline, prozac, zoloft,
    lexapro, adderall, ritalin, xarelto, eliquis, levothyroxine, antidepressants, antibiotics, beta blockers,
    statins, blood thinners, the pill, ozempic, wegovy, melatonin, vitamin d, iron, magnesium, creatine, b12,
    steroids, lithium, antihistamines, painkillers, supplements, concerta, vyvanse, nurofen, tylenol, cetirizine
    """
)

# --- minds

LANGUAGES = words(
    """
    english, spanish, french, german, italian, portuguese, dutch, swedish, norwegian, danish, finnish, icelandic,
    russian, ukrainian, polish, czech, slovak, hungarian, romanian, bulgarian, greek, turkish, arabic, hebrew,
    persian, farsi, hindi, urdu, bengali, tamil, telugu, marathi, punjabi, gujarati, mandarin, chinese, cantonese,
    japanese, korean, vietnamese, thai, tagalog, malay, indonesian, swahili, amharic, yoruba, igbo, zulu, xhosa,
    afrikaans, catalan, basque, galician, welsh, irish, gaelic, latin, esperanto, croatian, serbian, bosnian,
    slovenian, slovene, estonian, latvian, lithuanian, georgian, armenian, kurdish, pashto, nepali, sinhala,
    burmese, khmer, lao, mongolian, albanian, maltese, luxembourgish, yiddish, sign language, asl, bsl, malayalam,
    kannada, hausa, somali, filipino
    """
)
OPINIONS = words(
    """
    overrated, underrated, love, loved, loves, hate, hated, hates, like, likes, dislike, enjoy, enjoys, adore,
    adores, prefer, prefers, favourite, favorite, imo, imho, lonely, anxious, sad, happy, excited, stressed,
    nervous, proud, afraid, scared, worried, tired, exhausted, frustrated, annoyed, bored, burned, overwhelmed,
    terrible, awful, amazing, fantastic, brilliant, boring, rather, hope, wish, trust, believe, obsessed, keen,
    disappointing, disappointed, jealous, miss, feel, feeling, feels, felt, regret, swear, swears, despise, loathe,
    fond, grateful, gorgeous, beautiful, best, worst, ugly, guilty, ashamed, homesick, depressed, thrilled,
    delighted, gutted
    """
)
DRUG_ENDINGS = tuple(
    sorted(
        words(
            """
    ine, ol, pril, artan, statin, azole, cillin, mycin, xaban, arin, formin, oxetine, pram, zepam, olam, ide, xin,
    vir, mab, one, fen, rin, idine, apine, traline, gliptin
    """
            " olam, ide, xin, vir, mab, one, fen, rin, idine, apine, traline, gliptin"
        )
    )
)


def is_role(noun: str) -> bool:
    """Whether a noun is something that people work as."""
    low = noun.lower().strip()
    last = low.split()[-1] if low else ""
    if low in NO_ROLES or last in NO_ROLES:
        return False
    if low in ROLE_WORDS or last in ROLE_WORDS:
        return True
    return len(last) > 5 and last.endswith(
        ("eer", "ist", "ician", "ologist", "grapher", "keeper", "maker", "worker", "writer")
    )


def is_partner(noun: str) -> bool:
    """Whether a noun is what a couple are to each other: a life partner is one, a business partner is none."""
    low = noun.lower()
    *before, last = low.replace("-", " ").split() or [""]
    return low in PARTNERS or (last in PARTNERS and _LOVING.issuperset(before))


def is_drug(noun: str) -> bool:
    low = noun.lower()
    return low in DRUGS or (low.isalpha() and len(low) > 6 and low.endswith(DRUG_ENDINGS))


def last_word(noun: str) -> str:
    return noun.lower().split()[-1] if noun.split() else ""
