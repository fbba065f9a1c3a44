// The states of the chat in the gallery: the screenshots show them, and axe checks them.

/** Every layout, theme, size and state of the gallery. */
export const layouts = ['float', 'fullscreen-overlay', 'custom'];
export const themes = ['light', 'dark'];
export const sizes = [
  { width: 1600, height: 1000, scale: 0.5 },
  { width: 1280, height: 800, scale: 0.5 },
  { width: 400, height: 720, scale: 1 },
  { width: 360, height: 640, scale: 1 },
  { width: 280, height: 560, scale: 1 },
];

/** The messages that lead to each state. The answer to the last one streams, fails or asks a question. */
export const states = {
  empty: [],
  streaming: ['When is high tide on Friday?'],
  long: ['Tell me everything I should know'],
  error: ['Explain my last invoice'],
  form: ['Is a berth for 11 m free this weekend, and what would it cost?', 'Book C 14'],
  calendar: ['Register my boat'],
  list: ['Register my boat'],
};

/** Waits until a chat is in a state. */
export async function reached(chat, state) {
  if (state === 'empty') await chat.locator('agent-chat-welcome').waitFor();
  if (state === 'streaming') await chat.getByText('can be crossed').waitFor();
  if (state === 'long') await chat.locator('agent-chat-turn-actions').first().waitFor();
  if (state === 'error') await chat.locator('agent-chat-notice').waitFor();
  if (state === 'form') await chat.getByRole('button', { name: 'Book berth' }).waitFor();
  if (state === 'calendar') {
    await chat.getByRole('button', { name: 'Choose a date.' }).click();
    await chat.getByRole('gridcell').first().waitFor();
  }
  if (state === 'list') {
    await chat.getByRole('combobox', { name: 'Flag state' }).pressSequentially('la');
    await chat.getByRole('option', { name: 'Latvia' }).waitFor();
  }
}
