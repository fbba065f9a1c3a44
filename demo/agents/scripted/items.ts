import type { ContentItem } from '../../../src/protocol/index.ts';
import { arrivalForm } from './forms.ts';

/** A picture that the service serves; the widget shows pictures of the service's origin without asking. */
const quay = '/quay.svg';

/**
 * An example of every content item that services send, by response type.
 * @source seen on the wire
 */
export const sampleItems: Readonly<Record<string, ContentItem>> = {
  text: { response_type: 'text', text: 'Berth **C 14** is yours until Friday.' },
  option: {
    response_type: 'option',
    title: 'What may I look up?',
    description: 'One touch is enough.',
    preference: 'button',
    options: [
      { label: 'Free berths', value: { input: { text: 'Which berths are free tonight?' } } },
      { label: 'Tides', value: { input: { text: 'When is high water tomorrow?' } } },
      { label: 'My invoice', value: 'Where is my last invoice?' },
    ],
  },
  dropdown: {
    response_type: 'option',
    title: 'Which pontoon?',
    preference: 'dropdown',
    options: ['A', 'B', 'C', 'D', 'North wall'].map((label) => ({
      label: label.length === 1 ? `Pontoon ${label}` : label,
      value: {
        input: { text: `Tell me about ${label.length === 1 ? `pontoon ${label}` : 'the north wall'}` },
      },
    })),
  },
  image: {
    response_type: 'image',
    source: quay,
    title: 'Grey Quay',
    description: 'Seen from the outer buoy',
    alt_text: 'A sailing boat in front of a low quay',
  },
  video: {
    response_type: 'video',
    source: 'https://example.com/harbour/entrance.mp4',
    title: 'Coming in at low water',
    description: 'Two minutes, no sound',
    alt_text: 'A boat passes the narrow entrance',
  },
  audio: {
    response_type: 'audio',
    source: 'https://example.com/harbour/weather.mp3',
    title: "This morning's weather",
    description: 'Read by the duty officer',
  },
  iframe: {
    response_type: 'iframe',
    source: 'https://example.com/harbour/map',
    title: 'Map of the harbour',
    description: 'Berths and services',
  },
  date: { response_type: 'date', title: 'When do you arrive?' },
  pause: { response_type: 'pause', time: 1200, typing: true },
  button: {
    response_type: 'button',
    button_type: 'post_back',
    kind: 'primary',
    label: 'Book berth C 14',
    value: { input: { text: 'Please book berth C 14' } },
  },
  button_event: {
    response_type: 'button',
    button_type: 'custom_event',
    kind: 'secondary',
    label: 'Show it on the map',
    custom_event_name: 'show-berth',
    user_defined: { berth: 'C 14' },
  },
  button_url: {
    response_type: 'button',
    button_type: 'url',
    kind: 'tertiary',
    label: 'Rules of the harbour',
    url: 'https://example.com/harbour/rules',
    target: '_blank',
  },
  button_panel: {
    response_type: 'button',
    button_type: 'show_panel',
    kind: 'ghost',
    label: 'More about C 14',
  },
  card: {
    response_type: 'card',
    body: [
      { response_type: 'image', source: quay, alt_text: 'Berth C 14' },
      { response_type: 'text', text: '**Berth C 14**\n\n12 m, water and electricity' },
    ],
    footer: [
      {
        response_type: 'button',
        button_type: 'post_back',
        label: 'Book',
        value: { input: { text: 'Please book berth C 14' } },
      },
    ],
  },
  carousel: {
    response_type: 'carousel',
    items: [
      ['C 14', '12 m', '€ 26.50'],
      ['C 22', '10 m', '€ 22.00'],
      ['D 3', '18 m', '€ 41.00'],
    ].map(([berth = '', length = '', price = '']) => ({
      response_type: 'card',
      body: [
        { response_type: 'image', source: quay, alt_text: `Berth ${berth}` },
        { response_type: 'text', text: `**Berth ${berth}**\n\n${length}, ${price} a night` },
      ],
      footer: [
        {
          response_type: 'button',
          button_type: 'post_back',
          label: `Book ${berth}`,
          value: { input: { text: `Please book berth ${berth}` } },
        },
      ],
    })),
  },
  grid: {
    response_type: 'grid',
    columns: [{ width: '1' }, { width: '2' }],
    rows: [
      {
        cells: [
          { items: [{ response_type: 'text', text: '**Office**' }] },
          { items: [{ response_type: 'text', text: '08:00–18:00, VHF 12' }] },
        ],
      },
      {
        cells: [
          { items: [{ response_type: 'text', text: '**Fuel**' }] },
          { items: [{ response_type: 'text', text: 'Monday to Saturday' }] },
        ],
      },
    ],
  },
  table: {
    response_type: 'table',
    title: 'Tides at Grey Quay',
    description: 'Heights in metres over chart datum',
    headers: ['Day', 'High water', 'Height', 'Low water'],
    rows: [
      { cells: ['Monday', '06:12', 4.2, '12:24'] },
      { cells: ['Tuesday', '06:58', 4.4, '13:09'] },
      { cells: ['Wednesday', '07:45', 4.5, '13:57'] },
    ],
  },
  conversational_search: {
    response_type: 'conversational_search',
    text: 'Visitors lie on pontoon C. The office is open until 18:00, and late arrivals call VHF 12.',
    citations_title: 'How do I know?',
    citations: [
      {
        title: 'Rules of the harbour',
        text: 'Visiting boats take berths on pontoon C unless told otherwise.',
        url: 'https://example.com/harbour/rules',
        ranges: [{ start: 0, end: 26 }],
        search_result_idx: 0,
      },
      {
        title: 'Opening hours',
        body: 'The office is open from 08:00 to 18:00. Outside these hours call on VHF channel 12.',
        url: 'https://example.com/harbour/hours',
        ranges: [{ start: 27, end: 89 }],
        search_result_index: 1,
      },
    ],
    search_results: [
      {
        title: 'Rules of the harbour',
        body: 'Visiting boats take berths on pontoon C…',
        url: 'https://example.com/harbour/rules',
      },
      {
        title: 'Opening hours',
        body: 'The office is open from 08:00 to 18:00…',
        url: 'https://example.com/harbour/hours',
      },
    ],
  },
  inline_error: {
    response_type: 'inline_error',
    text: 'The tide gauge does not answer just now.',
    debug: { gauge: 'GQ-2', code: 'ETIMEDOUT', since: '2026-06-01T05:50:00Z' },
  },
  user_defined: {
    response_type: 'user_defined',
    user_defined: { user_defined_type: 'berth-plan', pontoon: 'C', free: ['C 14', 'C 22'], taken: 19 },
  },
  connect_to_agent: {
    response_type: 'connect_to_agent',
    message_to_human_agent: 'Skipper of the Marigold asks about a late arrival.',
    agent_available: { message: 'The duty officer is there and takes over.' },
    agent_unavailable: { message: 'Nobody is at the desk until 08:00. Leave a number and we call you.' },
  },
  system: { response_type: 'system', title: 'The duty officer joined', variant: 'separator' },
  forms: arrivalForm,
  form_operation: {
    response_type: 'form_operation',
    form_operation: 'submit',
    form_data: { vessel: 'Marigold', length: 11.5, arrival: '2026-06-01' },
  },
  file_upload: {
    response_type: 'file_upload',
    title: 'Your insurance papers',
    uploadSettings: {
      allowedFileMimeTypes: ['application/pdf', 'image/png', 'image/jpeg'],
      maxSingleFileSizeMB: 5,
      maxFilesPerUpload: 2,
    },
  },
  file_download: {
    response_type: 'file_download',
    files: [
      { fileName: 'invoice-2026-0417.pdf', url: 'https://example.com/invoices/2026-0417.pdf' },
      { fileName: 'harbour-rules.pdf', url: 'https://example.com/harbour/rules.pdf' },
    ],
  },
  disconnected_apps: {
    response_type: 'disconnected_apps',
    connection_status: 'disconnected',
    connection_message: 'The booking system wants you to sign in again.',
  },
  unknown: {
    response_type: 'berth_hologram',
    title: 'Something this page has never heard of',
    text: 'Its words are shown, the rest is under “Details”.',
    depth: { metres: 3.2, at: 'low water' },
  },
};
