import { expect, test } from '@playwright/test';
import { detectHap } from '../../../src/service/guardrails/detect-hap.ts';

/** What is left of a text when the findings are taken out. */
async function removed(text: string): Promise<string[]> {
  const found = await detectHap(text, AbortSignal.timeout(5_000));
  return found.map(({ start, end }) => text.slice(start, end));
}

/** Words that filters are known to mutilate: places, names, food, and plain words. */
const innocent = `
Scunthorpe Penistone Clitheroe Lightwater Essex Sussex Middlesex Wessex Cockermouth Cockburn Cockfosters Cockington
Hancock Babcock Alcock Hitchcock Peacock Woodcock Dickinson Dickens Dickson Benedick Cummings Cumming Cumbria Cumberland
Arsenal Arsenault Assam Assisi Bassett Massachusetts Cassandra Titanic Titian Titus Titicaca Shitake shiitake Shittim
Matsushita Mishit Libshitz Wankel Swank Twatt Twattle Penicuik Pennsylvania Analog Analogue analysis analyst canal banal
arsenic arsenal arson parse sparse coarse rehearse hearse class classic assassin assassinate assess asset assets assembly
assertion assistant associate assume assignment bass brass compass embassy grass harass mass pass passage passion password
cockpit cockatoo cockatiel cockerel cockle cockney cockroach cocktail peacock shuttlecock weathercock stopcock
document accumulate circumference circumstance cucumber cumin cumulative encumber incumbent cumulus succumb
grape drape scrape therapist therapy trapeze skyscraper rapeseed rapid rapport rapper drapes serape
button buttons butter butterfly buttress butterscotch halibut rebuttal title titled titles titan titanium titmouse titration
constitution institution substitute competition appetite petition entitled stitch attitude altitude quantities entities
identities shift shirt shish mishit shitzu snigger niggle niggardly niggling Niger Nigeria Nigerian nigh night renege
Negroni Montenegro denigrate negotiate pussycat pussyfoot pussywillow prickly pricking prickle Dickory turducken Saturday
Fagan Fagin fagot fagotto Fukushima Fukuda Fuchs Fukuoka fuchsia Fulham kung-fu futon future spatula spastically homophone
retardant retardation slutsky hookworm uranus manuscript Janus tetanus bananas analgesic peninsula pen
sextant sexton sextet sextuple sexagenarian unisex asexual bisexual sexuality sex's semantic semester basement advertisement
organism organize Georgy gorgeous Orgyen porgy whorl whomever wholesome who're swan swank wander
Klondike spike hitchhike cupcake dogged dog stockings stocking booby-trap booby booboo taboo bamboo caboose
evaluate evaluation raccoon tycoon cocoon snicker cocker Coca-Cola mock rock flick slick trick click kick thick ticket
basic circum cuckoo horseshoe bitcoin pitch stitch ditch witch switch obituary habit
exploitation document's glasses molasses sassafras tassel lasso passé crass sass Picasso Glasgow Lassie Assange
Kassel Tassilo Dassault Plassey Ravenscroft Cockayne Wilcock Glasscock Handcock Dickman Dicken Beaver Weiner Butts
Butterworth Gaylord Titmuss Titchmarsh Pratt Coxon Cox`
  .trim()
  .split(/\s+/);

test('innocent words and names stay whole', async () => {
  const harmed: string[] = [];
  for (const word of innocent)
    for (const text of [word, `I like ${word}, really.`])
      if ((await removed(text)).length > 0) harmed.push(text);
  expect(harmed).toEqual([]);
  expect(innocent.length).toBeGreaterThan(250);
});

for (const text of [
  'Dick Van Dyke met Dick Cheney and read Moby Dick.',
  'John Lee Hooker plays the blues in Río Negro.',
  'The blood group ABO, the city of Åbo, and kung fu.',
  'What is your sex? F or M.',
  'It stands at 4 a.m. in the U S A, or at p m.',
  'Room 455, flight 717, part FA46, take it prn after fsck.',
  'A b c d e f g is an alphabet.',
]) {
  test(`names and plain sentences stay whole: ${text}`, async () => {
    expect(await removed(text)).toEqual([]);
  });
}

for (const [text, words] of [
  ['you asshole', ['asshole']],
  ['What the fuck, you fucking motherfucker!', ['fuck', 'fucking', 'motherfucker']],
  ['Bullshit! Shitty shitheads.', ['Bullshit', 'Shitty', 'shitheads']],
  ['a dumbass dickhead, a dick', ['dumbass', 'dickhead', 'dick']],
  ['such bitches and whores', ['bitches', 'whores']],
  ['fuuuuck and SHITTTT', ['fuuuuck', 'SHITTTT']],
  ['sh1t $hit f*ck fuсk a$$hole', ['sh1t', '$hit', 'f*ck', 'fuсk', 'a$$hole']],
  ['f u c k this', ['f u c k']],
  ['s.h.i.t and f-u-c-k', ['s.h.i.t', 'f-u-c-k']],
  ['(cunt) "wanker", pissed-off', ['cunt', 'wanker', 'pissed']],
  ['faggots and retards', ['faggots', 'retards']],
  ['FUCK_YOU', ['FUCK']],
] as const) {
  test(`the whole word goes: ${text}`, async () => {
    expect(await removed(text)).toEqual(words);
  });
}
