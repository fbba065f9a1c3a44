/** Fields of an item as the service sends them. */
export type Source = Readonly<Record<string, unknown>>;

/** An image of one pixel. */
export const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A card with a button. */
export const card: Source = {
  response_type: 'card',
  body: [{ response_type: 'text', text: 'Berth **C 14**' }],
  footer: [{ response_type: 'button', label: 'Book', button_type: 'post_back' }],
};

/** One item of every type, and its visible text. */
export const samples: Readonly<Record<string, readonly [Source, string]>> = {
  option: [{ title: 'Which?', options: [{ label: 'Series 3', value: '3' }] }, 'Which? Series 3'],
  image: [
    { source: 'https://elsewhere.example/a.png', title: 'Plan' },
    'Load image from elsewhere.example Plan',
  ],
  video: [
    { source: 'https://elsewhere.example/a.mp4', title: 'Film' },
    'Load video from elsewhere.example Film',
  ],
  audio: [
    { source: 'https://elsewhere.example/a.mp3', title: 'Song' },
    'Load audio from elsewhere.example Song',
  ],
  iframe: [
    { source: 'https://elsewhere.example/', title: 'Tides' },
    'Tides Content from elsewhere.example is not shown on this page.',
  ],
  date: [{ title: 'When?' }, 'When? Send date'],
  pause: [{ time: 60_000, typing: true }, ''],
  button: [{ label: 'Press', button_type: 'post_back' }, 'Press'],
  card: [card, 'Berth C 14 Book'],
  carousel: [{ title: 'Berths', items: [card, card] }, 'Berths'],
  grid: [
    {
      columns: [{ width: '1' }, { width: '30%' }],
      rows: [
        {
          cells: [
            { items: [{ response_type: 'text', text: 'left' }] },
            { items: [{ response_type: 'text', text: 'right' }] },
          ],
        },
      ],
    },
    'left right',
  ],
  table: [{ title: 'Rates', headers: ['Berth', 'Price'], rows: [{ cells: ['C 14', '86'] }] }, 'Rates'],
  conversational_search: [
    {
      text: 'It is free.',
      citations: [{ title: 'Plan', url: 'https://harbour.example/p', ranges: [{ start: 0, end: 11 }] }],
    },
    'It is free.',
  ],
  inline_error: [{ text: 'No tides today', debug: { code: 7 } }, 'No tides today'],
  connect_to_agent: [{ agent_available: { message: 'Two minutes' } }, 'Talk to a person Two minutes Connect'],
  system: [{ title: 'Anna joined', variant: 'info' }, 'Anna joined'],
  form: [
    { json_schema: { title: 'Booking', properties: { boat: { type: 'string' } } } },
    'Booking Boat Submit',
  ],
  forms: [
    { json_schema: { title: 'Booking', properties: { boat: { type: 'string' } } } },
    'Booking Boat Submit',
  ],
  form_operation: [
    { form_operation: 'submit', form_data: { boatName: 'Albatros' } },
    'Submitted Boat name Albatros',
  ],
  file_upload: [
    { title: 'Papers', uploadSettings: { maxFilesPerUpload: 1 } },
    'Papers Choose a file or drop it here',
  ],
  file_download: [
    { files: [{ fileName: 'Invoice.pdf', url: 'https://harbour.example/i.pdf' }] },
    'Invoice.pdf harbour.example',
  ],
  disconnected_apps: [
    { title: 'Calendar', connection_status: 'connected', connection_message: 'as Anna' },
    'Calendar Connected as Anna',
  ],
  svc_connection_status: [
    { connection_status: 'in_progress', connection_message: 'wait' },
    'Connection Connecting wait',
  ],
  svc_tool_approval: [
    {
      sub_type: 'tool_approval',
      name: 'Book a berth',
      tool: { server: 'Berths', name: 'book' },
      json_schema: { properties: { boat: { type: 'string', title: 'Boat' } } },
      form_data: { boat: 'Marigold' },
    },
    'Your decision is needed Book a berth Acts on Berths Boat Marigold Decline Edit Approve',
  ],
  svc_page_tool: [{ user_defined: { type: 'page_tool_call', id: 'call', name: 'highlight' } }, ''],
  svc_rest: [{ items: [card] }, 'Berth C 14 Book'],
  user_defined: [{ user_defined: { title: 'Tide', text: 'High at two', level: 3 } }, 'Tide'],
};
