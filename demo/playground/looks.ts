/** A complete look: colours, theme, type, corners, density, style of the header, logo, and the name it goes with. */
export interface Look {
  readonly name: string;
  /** The settings it changes, by name; all other settings of looks return to their defaults. */
  readonly settings: Readonly<Record<string, string>>;
}

export const looks: readonly Look[] = [
  {
    name: 'Harbour',
    settings: { heading: 'Harbour Help', logo: '/logos/harbour.svg' },
  },
  {
    name: 'Kiln',
    settings: {
      heading: 'Kiln Support',
      logo: '/logos/kiln.svg',
      'primary-color': '#7a4a12',
      'second-color': '#ffe9c2',
      'accent-color': '#f0b429',
      font: 'serif',
      corners: 'crisp',
      density: 'airy',
      'header-style': 'tall',
    },
  },
  {
    name: 'Fern',
    settings: {
      heading: 'Fern & Co',
      logo: '/logos/fern.svg',
      'primary-color': '#12432f',
      'second-color': '#d9f0df',
      'accent-color': '#0a7d4d',
      font: 'rounded',
      corners: 'round',
    },
  },
  {
    name: 'Plum',
    settings: {
      heading: 'Maison Plum',
      logo: '/logos/plum.svg',
      'primary-color': '#ffffff',
      'second-color': '#f1e2f6',
      'accent-color': '#3f1d4e',
      font: 'geometric',
      corners: 'sharp',
      density: 'airy',
      'header-style': 'quiet',
    },
  },
  {
    name: 'Signal',
    settings: {
      heading: 'Signal Bank',
      logo: '/logos/signal.svg',
      'primary-color': '#d4002a',
      'second-color': '#ffe0e5',
      'accent-color': '#d4002a',
      font: 'neutral',
      corners: 'crisp',
      density: 'compact',
    },
  },
  {
    name: 'Lemon',
    settings: {
      heading: 'lemon dev',
      logo: '/logos/lemon.svg',
      'primary-color': '#16191d',
      'second-color': '#3a3a10',
      'accent-color': '#fff200',
      theme: 'dark',
      font: 'mono',
      corners: 'crisp',
      density: 'compact',
      'header-style': 'line',
    },
  },
];

/** Settings that every look decides; `heading` only while it is a look's own. */
export const lookSettings: readonly string[] = [
  'primary-color',
  'second-color',
  'accent-color',
  'theme',
  'font',
  'corners',
  'density',
  'header-style',
  'logo',
];
