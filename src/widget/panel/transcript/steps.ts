import { html, LitElement, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { ConversationMessage, Run, RunStep } from '../../../conversation/conversation.ts';
import { closeIcon, doneIcon, icon, nextIcon } from '../../theme/icons.ts';
import { answerTo } from '../../../conversation/visitor-actions.ts';
import { stepTitle } from '../../../conversation/readable-name.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { defaultStrings, type Strings } from '../../i18n/strings.ts';
import { workLineStyles } from './work-line.styles.ts';
import { stepsStyles } from './steps.styles.ts';

/** Maximum number of characters shown of one input or result. */
const maxTextLength = 4000;
/** Number of steps rendered at first; thousands at once would block the page. */
const initialSteps = 200;
/** Number of steps that "Show more" adds. */
const stepsPerPage = 100;

/** What is shown of a run, or of a message with steps of its own. */
export type ShownRun = Pick<Run, 'steps'> &
  Partial<Pick<Run, 'plan' | 'thinking' | 'thinkingAt' | 'startedAt' | 'endedAt'>>;

/**
 * The agent's steps behind one disclosure: tool calls with input and result, reasoning and plan.
 *
 * @element agent-chat-steps
 * @csspart steps
 * @csspart step
 */
export class StepsElement extends LitElement {
  static override styles = [sharedStyles, workLineStyles, stepsStyles];

  @property({ attribute: false, hasChanged: looksDifferent }) run: ShownRun = { steps: [] };
  /** What the agent is doing right now, in the place of the heading; `''` while another line says it. */
  @property() work = '';
  /** The turn's answers, once the agent works no more: some may ask the visitor to decide a call. */
  @property({ attribute: false }) answers: readonly ConversationMessage[] = [];
  /** Whether the visitor can still decide. */
  @property({ attribute: false }) open = false;
  /** Stops the animations while the connection is down. */
  @property({ type: Boolean }) still = false;
  @property({ attribute: false }) words: Strings = defaultStrings;
  /** Set by the visitor; until then, a plan that is under way is open. */
  @state() private opened: boolean | undefined;
  #planShown = false;
  /** Reasoning that was read before the first step came stays open. */
  #thinkingRead = false;
  @state() private limit = initialSteps;

  /** A plan that was shown while it was under way stays open: closing it would move the answer below. */
  protected override willUpdate(): void {
    this.#planShown ||= this.work !== '' && this.plan.length > 0;
  }

  private get plan(): readonly RunStep[] {
    return this.run.plan ?? [];
  }

  /** How long the run has taken, in ms. */
  private get duration(): number | undefined {
    const { startedAt, endedAt } = this.run;
    return startedAt === undefined || endedAt === undefined ? undefined : endedAt - startedAt;
  }

  private get isExpanded(): boolean {
    return this.opened ?? this.#planShown;
  }

  override render(): unknown {
    const { plan, duration, work, words } = this;
    const { steps, thinking } = this.run;
    if (steps.length === 0 && plan.length === 0 && !thinking) return nothing;
    return html`<button
        class="toggle ${work ? 'work' : ''} ${work && !this.still ? 'live' : ''}"
        part="steps"
        type="button"
        aria-expanded=${this.isExpanded ? 'true' : 'false'}
        aria-controls="list"
        @click=${() => (this.opened = !this.isExpanded)}
      >
        ${
          work
            ? html`<span class="pulse"></span><span class="line" dir="auto">${work}</span>`
            : html`${icon(nextIcon, 'directional')}<b>${this.heading}</b> ${
                  duration === undefined ? nothing : html`<span>· ${formatDuration(duration, words)}</span>`
                }`
        }
      </button>
      <div id="list" ?hidden=${!this.isExpanded}>${this.isExpanded ? this.renderList() : nothing}</div>`;
  }

  private get heading(): string {
    const { plan, words } = this;
    const { steps } = this.run;
    const parts = [
      ...(plan.length > 0 ? [words.t('steps.plan')] : []),
      ...(steps.length > 0 ? [words.t('steps.count', { count: steps.length })] : []),
    ];
    return parts.join(' · ') || words.t('steps.reasoning');
  }

  private renderList(): unknown {
    const { steps, thinking, thinkingAt } = this.run;
    const rows = [...this.plan, ...steps];
    if (thinking && rows.length === 0) this.#thinkingRead = true;
    const before = Math.min(thinkingAt ?? rows.length, this.limit);
    return html`<ul class="list">
      ${rows.slice(0, before).map((step) => this.renderStep(step))}
      ${thinking ? this.renderThinking(thinking) : nothing}
      ${rows.slice(before, this.limit).map((step) => this.renderStep(step))} ${this.renderMore(rows.length)}
    </ul>`;
  }

  private renderThinking(thinking: string): unknown {
    const text = html`<p class="thinking" dir="auto">${thinking}</p>`;
    return html`<li class="item">
      ${
        this.#thinkingRead
          ? text
          : html`<details>
              <summary>${icon(nextIcon, 'directional')}${this.words.t('steps.reasoning')}</summary>
              ${text}
            </details>`
      }
    </li>`;
  }

  private renderMore(all: number): unknown {
    if (all <= this.limit) return nothing;
    const count = Math.min(all - this.limit, stepsPerPage);
    return html`<li class="item">
      <button class="button" type="button" @click=${() => (this.limit += stepsPerPage)}>
        ${this.words.t('content.more', { count })}
      </button>
    </li>`;
  }

  /** The first step after a plan has a heading above it: rows of the plan look the same. */
  private renderStep(step: RunStep): unknown {
    const { plan, words } = this;
    const { steps } = this.run;
    const isFirst = plan.length > 0 && step === steps[0];
    const name = html`<span class="name"
      ><span dir="auto">${stepTitle(step.name) || words.t('steps.count', { count: 1 })}</span
      >${step.agentName ? html`${' · '}<span dir="auto">${step.agentName}</span>` : nothing}</span
    >`;
    const input = asText(step.input);
    const more = input || step.output || step.error;
    return html`${
        isFirst ? html`<li><h4>${words.t('steps.count', { count: steps.length })}</h4></li>` : nothing
      }
      <li class="item head" part="step">
        ${this.renderMark(step)}
        ${
          more
            ? html`<details>
                <summary>${name}${icon(nextIcon, 'directional')}</summary>
                ${this.renderText('steps.input', input)} ${this.renderText('steps.output', step.output)}
                ${step.error === step.output ? nothing : this.renderText('steps.failed', step.error)}
              </details>`
            : name
        }
      </li>`;
  }

  /** A call that the visitor decides does not start before, and never if they decline; then a later run has it. */
  private statusOf({ id, status }: RunStep): RunStep['status'] {
    const question = this.answers.find(({ items }) => items.some((item) => item.id === id));
    const answer = question && answerTo(question, id);
    if (answer?.action === 'cancel') return 'stopped';
    return question && !answer && this.open ? 'pending' : status;
  }

  private renderMark(step: RunStep): unknown {
    const status = this.statusOf(step);
    const label = html`<span class="visually-hidden">${this.words.t(`steps.${status}`)}</span>`;
    if (status === 'done' || status === 'failed') {
      return html`<span class=${status}>${icon(status === 'done' ? doneIcon : closeIcon)}${label}</span>`;
    }
    return html`<span class="dot ${status}"></span>${label}`;
  }

  private renderText(
    key: 'steps.input' | 'steps.output' | 'steps.failed',
    text: string | undefined,
  ): unknown {
    if (!text) return nothing;
    return html`<h4>${this.words.t(key)}</h4>
      <pre dir="auto">${text.length > maxTextLength ? `${text.slice(0, maxTextLength)} …` : text}</pre>`;
  }
}

/** A run changes with each event; while text arrives, its steps do not. */
function looksDifferent(run: ShownRun, before: ShownRun | undefined): boolean {
  const fields = ['steps', 'plan', 'thinking', 'thinkingAt', 'endedAt'] as const;
  return fields.some((field) => run[field] !== before?.[field]);
}

/** Formats a duration as seconds, or minutes and seconds, in the shortest form. */
function formatDuration(milliseconds: number, words: Strings): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  if (seconds < 60) return words.t('time.seconds', { count: seconds });
  return words.t('time.minutes', { minutes: Math.floor(seconds / 60), seconds: seconds % 60 });
}

function asText(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && Object.keys(value).length === 0) return undefined;
  try {
    return JSON.stringify(value, null, 2);
  } catch {
    return undefined;
  }
}
