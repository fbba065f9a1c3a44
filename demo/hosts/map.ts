import type { AgentChat } from 'agent-chat';

const berths = ['A1', 'A2', 'A3', 'A4', 'B1', 'B2', 'C5', 'C7'];
const drawing = 'http://www.w3.org/2000/svg';
const places = new Map<string, SVGElement>();

function draw(): void {
  const map = document.querySelector('#berths');
  berths.forEach((name, index) => {
    const place = document.createElementNS(drawing, 'g');
    const box = document.createElementNS(drawing, 'rect');
    const label = document.createElementNS(drawing, 'text');
    const [x, y] = [30 + (index % 4) * 70, index < 4 ? 66 : 146];
    for (const [key, value] of Object.entries({ x, y, width: 50, height: 40, rx: 4 }))
      box.setAttribute(key, String(value));
    label.setAttribute('x', String(x + 25));
    label.setAttribute('y', String(y + 25));
    label.textContent = name;
    place.append(box, label);
    map?.append(place);
    places.set(name, place);
  });
}

/** Highlights a berth; throws when there is none of that name. */
function highlight(name: string): string {
  const place = places.get(name);
  if (!place) throw new Error(`There is no berth ${name}. There are ${berths.join(', ')}.`);
  for (const other of places.values()) other.classList.toggle('highlighted', other === place);
  const chosen = document.querySelector('#chosen');
  if (chosen) chosen.textContent = `Berth ${name} is highlighted.`;
  return `Berth ${name} is highlighted on the map.`;
}

draw();
await customElements.whenDefined('agent-chat');
const chat = document.querySelector<AgentChat>('agent-chat');
if (chat)
  chat.starters = [
    'Find a berth for 11 m and show it on the map',
    'Show A4 on the map',
    'Book B2 for the Wal',
  ].map((title) => ({ title }));
chat?.registerTool({
  name: 'highlight_berth',
  title: 'Highlight a berth on the map',
  description: 'Highlights one berth on the map that the visitor sees. Use it when a berth is mentioned.',
  inputSchema: {
    type: 'object',
    required: ['berth'],
    properties: { berth: { type: 'string', title: 'Berth', enum: berths } },
  },
  execute: ({ berth }) => highlight(String(berth)),
});
