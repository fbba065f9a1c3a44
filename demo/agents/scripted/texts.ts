/** A tour of Markdown, as a harbour office would write it. */
export const markdownTour = `## Arriving at Grey Quay

Welcome! Here is what *most* skippers ask, from **berths** to ~~parking~~ moorings.

1. Call us on **VHF 12** when you pass the outer buoy.
2. Wait for a berth number:
   - visitors lie on pontoon **C**
   - boats over 18 m lie on the *north wall*
3. Come to the office before 18:00.

> The entrance is narrow at low water. When in doubt, wait an hour.
>
> > The tide always has the last word.

| Length | Berth | Per night |
|:-------|:-----:|----------:|
| up to 8 m | A or C | € 18.00 |
| up to 12 m | C | € 26.50 |
| up to 18 m | D | € 41.00 |
| over 18 m | north wall | on request |

- [x] Berth reserved
- [x] Deposit paid
- [ ] Insurance papers shown

Clearance under the bridge is the charted height minus the tide, \`clearance = charted - tide\`:

\`\`\`ts
/** Metres left under the bridge. */
export function clearance(charted: number, tide: number, mast: number): number {
  return charted - tide - mast;
}
\`\`\`

More at [the harbour's pages](https://example.com/harbour "Harbour") or <https://example.com/tides>. An address alone works too: https://example.com/berths?length=12.

---

Line one with two blanks at its end  
and line two. Entities: &copy; 2026 &mdash; &amp; so on.

![The quay at low water](https://example.com/quay.jpg "Grey Quay")
`;

/** Text that would be harmful if it were rendered as HTML or trusted as a link. */
export const hostileText = `Hostile text, shown harmlessly:

<script>alert('script')</script> <img src=x onerror="alert('img')"> <b onmouseover="alert(1)">bold?</b>

[a link](javascript:alert(1)) and [another](data:text/html,<script>alert(1)</script>) and [https://bank.example](https://example.com/elsewhere)

![tracker](https://tracker.example/pixel.gif?secret=1)

\`\`\`html
<iframe src="javascript:alert(1)"></iframe>
\`\`\`

Bidirectional \u202Eesrever\u202C text, a zero\u200Bwidth blank, and an unclosed **bold`;

const paragraphs = [
  'The harbour lies open to the south-west, so a strong wind from there makes the entrance **uncomfortable** two hours either side of low water. In settled weather you may enter at any time.',
  'Pontoon C has water and 16 A electricity at every second berth. Please take the *short* lines off the bollards when you leave; the next crew will thank you.',
  '- Fuel: Monday to Saturday, 08:00–18:00\n- Water: free, at every pontoon\n- Waste: the green gate behind the office\n- Showers: code on your receipt',
  'Our pilot service is run by the office. A pilot for boats under 20 m costs € 85 and can be asked for up to `2 h` before arrival.',
  '| Day | High water | Low water |\n|---|---|---|\n| Monday | 06:12 | 12:24 |\n| Tuesday | 06:58 | 13:09 |\n| Wednesday | 07:45 | 13:57 |',
  '> Storm warnings are shown by two red lights over the office. Boats on the north wall must then double their lines.',
  'Invoices are written at the end of each stay and can be paid at the office or [online](https://example.com/pay). A receipt follows by post or mail, as you like.',
  '1. Fenders out on both sides.\n2. Bow line ready, at least 15 m.\n3. Engine in neutral when the harbour boat comes alongside.',
];

/** Returns whole paragraphs up to a number of characters, at least one. Deterministic. */
export function longText(characters: number): string {
  let text = '# A long answer\n';
  for (let place = 0; ; place += 1) {
    const heading = place % 4 === 0 ? `\n## Part ${place / 4 + 1}\n` : '';
    const next = `${heading}\n${paragraphs[place % paragraphs.length] ?? ''}\n`;
    if (place > 0 && text.length + next.length > characters) return text;
    text += next;
  }
}

/** Code in several languages. */
export const codeTour = `The tide table comes as JSON:

\`\`\`json
{ "port": "Grey Quay", "tides": [{ "at": "2026-06-01T06:12:00Z", "metres": 4.2, "high": true }] }
\`\`\`

Reading it in Python:

\`\`\`python
from datetime import datetime

def next_high(tides: list[dict]) -> datetime:
    """The next high water."""
    return min(datetime.fromisoformat(t["at"]) for t in tides if t["high"])
\`\`\`

or asking from a shell:

\`\`\`bash
curl -s "https://example.com/tides?port=grey-quay" | jq '.tides[] | select(.high) | .at'
\`\`\`

and keeping it:

\`\`\`sql
select port, max(metres) as highest from tides where at >= current_date group by port;
\`\`\`
`;

/** Formulas in text and of their own, prices that are none, and one formula that is wider than a phone. */
export const mathTour = String.raw`## How high is the tide?

Between low and high water the level follows a cosine. At \(t\) hours after low water it is

\[
h(t) = h_0 + \frac{A}{2}\left(1 - \cos\frac{\pi t}{T}\right), \qquad 0 \le t \le T
\]

with the range \(A = h_1 - h_0\) and \(T \approx 6.2\,\text{h}\). The **rule of twelfths** sums it up:

| Hour | Part of the range | At \(A = 4\,\text{m}\) |
|:-----|:-----------------:|-----------:|
| 1 | \(\tfrac{1}{12}\) | 0.33 m |
| 2 | \(\tfrac{2}{12}\) | 0.67 m |
| 3 | \(\tfrac{3}{12}\) | 1.00 m |

1. The mean level over one tide:
   $$
   \bar{h} = \frac{1}{T}\int_0^T h(t)\,dt = \frac{h_0 + h_1}{2}
   $$
2. From one system to the other:
   $$\begin{pmatrix} x' \\ y' \end{pmatrix} = \begin{pmatrix} \cos\alpha & -\sin\alpha \\ \sin\alpha & \cos\alpha \end{pmatrix} \begin{pmatrix} x \\ y \end{pmatrix}$$

A sum of many constituents is wide, and scrolls by itself:

$$
h(t) = Z_0 + \sum_{i=1}^{n} H_i f_i \cos(\omega_i t + V_i + u_i - g_i) = Z_0 + H_1 f_1 \cos(\omega_1 t + V_1 + u_1 - g_1) + \dots + H_n f_n \cos(\omega_n t + V_n + u_n - g_n)
$$

A berth costs $18 or $26.50; restaurants at the quay are $$ to $$$. In code, ${'`\\(t\\)`'} stays as it is.
`;
