// The pages for the screenshots, and the gallery that shows them.

const options = JSON.stringify({
  header: {
    avatar: '/logos/harbour.svg',
    subtitle: 'Answers in seconds',
    disclaimer: 'Answers can be wrong. Check what matters.',
  },
  starters: [
    {
      title: 'Is a berth free this weekend?',
      description: 'Checks live availability',
      icon: 'M12 8v13M5 13a7 7 0 0014 0M8 12h8M9.5 5.5a2.5 2.5 0 105 0 2.5 2.5 0 10-5 0z',
    },
    { title: 'Explain my last invoice', icon: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6' },
    {
      title: 'When is high tide on Friday?',
      icon: 'M2 9c3 0 3 2 6 2s3-2 6-2 3 2 6 2M2 15c3 0 3 2 6 2s3-2 6-2 3 2 6 2',
    },
  ],
});

const chat = (attributes) =>
  `<agent-chat agent-id="harbour" token-url="/demo/token" heading="Harbour Help" storage="none" notifications="off"
    welcome="Good morning.&#10;What can I look up for you?&#10;&#10;I can check berths, tides and invoices." ${attributes}>
    <script type="application/json">${options}</script></agent-chat>`;

const page = (style, body) => `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Harbour</title>
  <style>${style}</style>
  <script async src="/agent-chat.js"></script>
  <body>${body}</body>
</html>`;

/** Two panels side by side, light and dark. */
export function heroPage() {
  const style = `body { margin: 0; padding: 36px; display: flex; gap: 32px; justify-content: center; background: #e9ebef; }
    div { width: 400px; height: 640px; border-radius: 16px; box-shadow: 0 12px 40px -8px rgb(15 25 45 / 0.28); }`;
  const place = (attributes) =>
    `<div>${chat(`form-type="custom" width="100%" height="100%" ${attributes}`)}</div>`;
  return page(
    style,
    place('theme="light"') +
      place('theme="dark" primary-color="#1f3a5f" second-color="#a9c8ee" accent-color="#0b62d6"'),
  );
}

/** A page of a marina with the chat in one layout. */
export function hostPage({ layout, theme }) {
  const custom = layout === 'custom';
  const ground = theme === 'dark' ? '#0e1013; color: #c9ced6' : '#f3f5f8; color: #28303a';
  const style = `body { margin: 0; font: 16px/1.6 system-ui, sans-serif; background: ${ground}; }
    main { max-width: ${custom ? 'calc(30vw - 80px - 48px)' : '720px'}; padding: 24px; }
    .place { position: fixed; inset: min(24px, 3vw); inset-inline-start: max(3vw, 30vw - 80px); }
    @media (max-width: 480px) { .place { inset: 8px; } body:has(.place) main { visibility: hidden; } }`;
  const words = `<main><h1>Westhaven Marina</h1><p>Forty berths from 6 to 14 metres, most with water and power. The bar
    can be crossed two hours either side of high water.</p><p>Lifting up to 12 tonnes, a rigger on Tuesdays.</p></main>`;
  const element = chat(
    `theme="${theme}" form-type="${layout}" ${custom ? 'width="100%" height="100%"' : 'open'}`,
  );
  return page(style, words + (custom ? `<div class="place">${element}</div>` : element));
}

/** The gallery: all screenshots by layout and theme, one row per size. */
export function galleryPage(shots, states) {
  const groups = [...new Set(shots.map(({ layout, theme }) => `${layout}, ${theme}`))];
  const rows = groups.map((group) => {
    const mine = shots.filter(({ layout, theme }) => `${layout}, ${theme}` === group);
    const widths = [...new Set(mine.map(({ width }) => width))];
    const lines = widths.map((width) => {
      const pictures = mine
        .filter((shot) => shot.width === width)
        .map(
          ({ file, state }) =>
            `<figure><img loading="lazy" src="./shots/${file}" alt="${group}, ${width} pixels wide, ${state}" /><figcaption>${width} px, ${state}</figcaption></figure>`,
        );
      return `<div class="row">${pictures.join('\n')}</div>`;
    });
    return `<section><h2>${group}</h2>\n${lines.join('\n')}</section>`;
  });
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>agent-chat: gallery of states</title>
    <style>
      body { margin: 24px; font: 15px/1.5 system-ui, sans-serif; color: #16191d; background: #fff; }
      .row { display: grid; grid-template-columns: repeat(${states.length}, minmax(0, 1fr)); gap: 16px; margin-block: 16px; }
      figure { margin: 0; }
      img { max-width: 100%; height: auto; border: 1px solid #e3e6ea; border-radius: 8px; }
      figcaption { font-size: 12px; color: #5c6570; }
      @media (width <= 900px) { .row { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
      @media (width <= 500px) { .row { grid-template-columns: minmax(0, 1fr); } }
    </style>
  </head>
  <body>
    <h1>Gallery of states</h1>
    <p>Taken in Chromium by <code>npm run shots</code>: each layout and theme, five widths, five states.</p>
    ${rows.join('\n')}
  </body>
</html>
`;
}
