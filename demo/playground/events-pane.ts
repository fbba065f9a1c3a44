import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { AgentChat } from 'agent-chat';
import { LogChangeEvent, type EventLog, type LogEntry } from './event-log.ts';
import type { Network } from './network.ts';
import { PlaygroundElement } from './playground-element.ts';
import { readRecording, writeRecording } from './recording.ts';

/** Number of events that are rendered; all are recorded. */
const shown = 400;

/** The raw events of the preview; saves a run as a file and replays it. */
export class EventsPane extends PlaygroundElement {
  @property({ attribute: false }) log: EventLog | undefined;
  @property({ attribute: false }) network: Network | undefined;
  @property({ attribute: false }) preview: AgentChat | undefined;
  @state() private withDeltas = true;
  @state() private problem = '';

  /** Whether the newest event is in view, and stays so. */
  #follows = true;

  readonly #logChanged = () => this.requestUpdate();
  /** The list has no size while the tab is closed. */
  readonly #sizes = new ResizeObserver(() => this.#follow());

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has('log')) this.log?.addEventListener(LogChangeEvent.type, this.#logChanged);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.log?.removeEventListener(LogChangeEvent.type, this.#logChanged);
    this.#sizes.disconnect();
  }

  protected override updated(): void {
    const list = this.querySelector('.events');
    if (list) this.#sizes.observe(list);
    else this.#follows = true;
    this.#follow();
  }

  #follow(): void {
    const list = this.querySelector('.events');
    if (list && this.#follows) list.scrollTop = list.scrollHeight;
  }

  readonly #scrolled = (event: Event & { readonly currentTarget: Element }): void => {
    const { clientHeight, scrollHeight, scrollTop } = event.currentTarget;
    if (clientHeight > 0) this.#follows = scrollHeight - scrollTop - clientHeight < 160;
  };

  override render(): unknown {
    const entries = (this.log?.entries ?? []).filter(
      (entry) => this.withDeltas || !entry.event.endsWith('.delta'),
    );
    const none = entries.length === 0;
    return html`
      <div class="pane-head">
        <h2>Events</h2>
        <label class="check">
          <input
            type="checkbox"
            .checked=${this.withDeltas}
            @change=${() => (this.withDeltas = !this.withDeltas)}
          />
          Deltas
        </label>
        <button class="button small" type="button" @click=${() => this.log?.clear()}>Clear</button>
      </div>
      <p class="note">
        Each event of the run stream as it came over the wire: <code>agent-chat-run-event</code>.
      </p>
      ${
        none
          ? html`<p class="empty">Nothing yet. Say something in the chat.</p>`
          : html`<ol class="events" tabindex="0" aria-label="Events, newest last" @scroll=${this.#scrolled}>
              ${repeat(entries.slice(-shown), (entry) => entry.number, renderEntry)}
            </ol>`
      }
      <div class="actions">
        <button class="button" type="button" aria-disabled=${none} @click=${() => this.#save()}>
          Save the last run
        </button>
        <label class="button" tabindex="-1">
          Play a saved run
          <input
            class="visually-hidden"
            type="file"
            accept=".jsonl,.ndjson,.json,text/plain"
            @change=${this.#play}
          />
        </label>
      </div>
      <div aria-live="polite">
        ${this.problem ? html`<p class="notice bad">${this.problem}</p>` : nothing}
      </div>
    `;
  }

  #save(): void {
    const recording = this.log?.lastRun();
    if (!recording) return;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([writeRecording(recording)], { type: 'application/x-ndjson' }));
    link.download = 'run.jsonl';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  async #play(event: Event): Promise<void> {
    const input = event.target;
    const file = input instanceof HTMLInputElement ? input.files?.[0] : undefined;
    if (!file) return;
    this.problem = '';
    try {
      const recording = readRecording(await file.text());
      this.network?.play(recording);
      await this.preview?.show();
      await this.preview?.send(recording.message);
    } catch (cause) {
      this.problem = cause instanceof Error ? cause.message : String(cause);
    } finally {
      if (input instanceof HTMLInputElement) input.value = '';
    }
  }
}

function renderEntry(entry: LogEntry): TemplateResult {
  const json = JSON.stringify(entry.data, null, 2) ?? '';
  return html`<li class=${groupOf(entry.event)}>
    <details>
      <summary>
        <time>${(entry.at / 1000).toFixed(2)}</time>
        <b>${entry.event}</b>
        <span>${summaryOf(entry.data)}</span>
      </summary>
      <pre>${entry.id ? `id ${entry.id}\n` : ''}${json}</pre>
    </details>
  </li>`;
}

function groupOf(kind: string): string {
  if (/failed|error|expired|cancelled/.test(kind)) return 'bad';
  if (kind.startsWith('run.step') || kind === 'planning') return 'step';
  if (kind.startsWith('message')) return 'message';
  return 'run';
}

/** A short summary that distinguishes an event from the next. */
function summaryOf(data: unknown): string {
  const text = findText(data, 0);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function findText(value: unknown, depth: number): string {
  if (depth > 5 || typeof value !== 'object' || value === null) return '';
  const entries = Object.entries(value);
  for (const [key, inner] of entries) {
    if (/^(text|name|title|message|content|delta)$/.test(key) && typeof inner === 'string' && inner.trim())
      return inner;
  }
  for (const [, inner] of entries) {
    const found = findText(inner, depth + 1);
    if (found) return found;
  }
  return '';
}
EventsPane.register('playground-events');
