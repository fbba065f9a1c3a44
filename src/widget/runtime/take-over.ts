import type { ChatHost } from '../chat-host.ts';
import type { PanelElement } from '../panel/panel.ts';

/**
 * Puts the panel in the shell's place once it is rendered, with what the visitor did there: sent messages, text,
 * selection, files and focus. Leaves the shell while it is busy; its end updates the host.
 */
export async function takeOver(host: ChatHost, drawnPanel: Promise<PanelElement | null>): Promise<void> {
  const panel = await drawnPanel;
  const { shell } = host;
  if (!panel || !shell || shell.isBusy) return;
  host.shell = undefined;
  shell.storage?.end();
  const { composer, frame } = panel;
  const isInside = shell.element.matches(':focus-within');
  const part = shell.element.querySelector(':focus')?.getAttribute('part');
  for (const text of shell.sent) composer.sendEarly(text);
  composer.continueFrom(shell.field);
  composer.attachEarly(shell.files, shell.isWaiting);
  shell.element.remove();
  // the panel is where the shell was, and does not appear a second time
  for (const animation of frame?.getAnimations?.() ?? []) animation.finish();
  if (isInside) focusPart(panel, part);
}

/** Focuses the control that has the same part as the shell's: text field, Send or Close. */
function focusPart(panel: PanelElement, part: string | null | undefined): void {
  const header = panel.renderRoot.querySelector('agent-chat-header');
  const same = [panel.composer, header]
    .map((owner) => owner?.shadowRoot?.querySelector<HTMLElement>(`[part="${part}"]`))
    .find(Boolean);
  if (same) same.focus({ preventScroll: true });
  else panel.focusFallback();
}
