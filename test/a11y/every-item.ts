/** An origin that no page allows. */
export const elsewhere = 'https://ελλάδα.example';

const cells = Array.from({ length: 30 }, (_, index) => ({ cells: [`γραμμή ${index}`] }));
const citations = [{ text: 'απόσπασμα', url: `${elsewhere}/a`, ranges: [{ start: 0, end: 3 }] }];
const refused = 'javascript:alert(1)';

/** Content items of every kind in Greek, with as few fields as possible, so that the widget's own strings show. */
export const everyItem: readonly Readonly<Record<string, unknown>>[] = [
  {
    response_type: 'option',
    preference: 'dropdown',
    options: ['Α', 'Β'].map((label) => ({ label, value: label })),
  },
  { response_type: 'option', options: [{ label: 'Α', value: '1' }] },
  { response_type: 'image', source: `${elsewhere}/a.png` },
  { response_type: 'image', source: 'data:image/png;base64,' },
  { response_type: 'video', source: `${elsewhere}/a.mp4` },
  { response_type: 'audio', source: `${elsewhere}/a.mp3` },
  { response_type: 'iframe', source: `${elsewhere}/`, title: 'Χάρτης' },
  { response_type: 'iframe', source: refused },
  { response_type: 'date' },
  { response_type: 'button', button_type: 'url', label: 'Κανόνες', url: `${elsewhere}/` },
  { response_type: 'button', button_type: 'url', label: 'Κακό', url: refused },
  { response_type: 'carousel', items: [1, 2].map(() => ({ response_type: 'card', body: [] })) },
  { response_type: 'table', rows: cells, headers: ['', 'Ώρα'] },
  { response_type: 'table', rows: [] },
  { response_type: 'disconnected_apps', apps: [{}] },
  { response_type: 'conversational_search', text: 'Ναι, από τις οκτώ.', citations },
  { response_type: 'inline_error', debug: { α: 1 } },
  { response_type: 'connect_to_agent' },
  {
    response_type: 'file_upload',
    uploadSettings: { allowedFileMimeTypes: ['image/png'], maxSingleFileSizeMB: 5, maxFilesPerUpload: 3 },
  },
  { response_type: 'form_operation', form_operation: 'submit', form_data: { α: true, β: false, γ: '' } },
  { response_type: 'form_operation', form_operation: 'cancel' },
  {
    response_type: 'file_download',
    files: [
      { fileName: 'α', url: `${elsewhere}/` },
      { fileName: 'β', url: refused },
    ],
  },
  { response_type: 'file_download', files: [] },
  { response_type: 'svc_connection_status', connection_status: 'connected' },
  { response_type: 'svc_connection_status', connection_status: 'pending' },
  { response_type: 'disconnected_apps', apps: [{ name: 'Ημερολόγιο', status: 'bad' }] },
  { response_type: 'ολόγραμμα' },
];
