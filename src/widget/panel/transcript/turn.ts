import { html, LitElement, nothing } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { ConversationItem, ConversationMessage, Run } from '../../../conversation/conversation.ts';
import { endedBlank } from '../../../conversation/run-status.ts';
import { answerTo } from '../../../conversation/visitor-actions.ts';
import type { ItemContext } from '../../content/item-context.ts';
import { renderMessageItem } from '../../content/render-message-item.ts';
import { agentName, type PanelConfig } from '../../contexts.ts';
import { LazyElement } from '../../platform/lazy-element.ts';
import { icon, nextIcon } from '../../theme/icons.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { asksToDecide, callsPage, type Turn } from '../../../conversation/turns.ts';
import { turnStyles } from './turn.styles.ts';
import { workLineStyles } from './work-line.styles.ts';
import { runStatusText, personText, type Trouble } from '../../i18n/status-strings.ts';

const steps = new LazyElement('agent-chat-steps', () =>
  import('./steps.ts').then((module) => module.StepsElement),
);

const none: Turn['answers'] = [];
/** Number of items per message, and of messages per run, rendered at first. */
const initialItems = 200;

/**
 * One turn: the visitor's message, the agent's steps and answers, and how the run ended.
 *
 * @element agent-chat-turn
 * @csspart answer - One message of the agent
 * @csspart status-line - One quiet line with what the agent is doing
 */
export class TurnElement extends LitElement {
  static override styles = [sharedStyles, workLineStyles, turnStyles];

  @property({ attribute: false }) panel!: PanelConfig;
  @property({ attribute: false }) turn!: Turn;
  @property({ type: Boolean }) last = false;
  /** Whether the turn's forms and options can be answered. See `firstOpenTurn`. */
  @property({ attribute: false }) open = false;
  /** Problem with the connection; set for the newest turn only. */
  @property() trouble: Trouble | '' = '';
  @state() private most = initialItems;
  /** Whether the times are formatted, once they can be seen: formatting the first takes longer than drawing the turn. */
  @state() private hasTimes = false;

  override render(): unknown {
    const { turn, panel } = this;
    const { prompt } = turn;
    const hasReply = (turn.run || turn.answers.length > 0) && !isEmpty(turn);
    // nothing is expected of an unsent message; without our header, the connection is told there
    const isSilent = this.isUnsent && !panel.slots.has('header');
    return html`<div
      class="turn ${this.last ? 'last' : ''}"
      @pointerenter=${this.#showTimes}
      @focusin=${this.#showTimes}
    >
      ${prompt ? this.renderPrompt(prompt, panel) : nothing}
      ${hasReply && !isSilent ? this.renderReply(turn, panel) : nothing}
    </div>`;
  }

  readonly #showTimes = (): void => {
    this.hasTimes = true;
  };

  /** Whether the message waits for the network. */
  private get isUnsent(): boolean {
    return this.trouble === 'offline' && this.turn.run?.status === 'submitted';
  }

  private renderPrompt(prompt: ConversationMessage, panel: PanelConfig): unknown {
    const { words } = panel;
    const working = isWorking(this.turn.run);
    return html`<article class="message prompt" data-side="prompt" tabindex="-1" aria-labelledby="you">
      <h3 class="visually-hidden" id="you">${words.t('transcript.you-said')}</h3>
      <agent-chat-visitor-message
        exportparts="visitor-message"
        .message=${prompt}
        .editable=${this.last && !working && prompt.status !== 'queued'}
        .unsent=${this.isUnsent}
        .dated=${this.hasTimes}
        .words=${words}
        >${prompt.items.map((item) => (item.text ? nothing : renderMessageItem(item, inactive(prompt, panel), this)))}</agent-chat-visitor-message
      >
    </article>`;
  }

  private renderReply(turn: Turn, panel: PanelConfig): unknown {
    const { run } = turn;
    const name = personText(turn.answers[0], panel.words) ?? agentName(panel);
    return html`<article class="message" data-side="reply" tabindex="-1" aria-labelledby="agent">
      <h3 class="visually-hidden" id="agent">${panel.words.t('transcript.name-said', { name })}</h3>
      ${run && hasSteps(run) ? this.renderSteps(run, turn, panel) : nothing}
      ${repeat(
        turn.answers.slice(0, this.most),
        ({ id }) => id,
        (message) => this.renderAnswer(message, panel),
      )}
      ${turn.answers.length > this.most ? this.renderNewest(turn.answers, panel) : nothing}
      ${run?.summary ? this.renderSummary(run, panel) : nothing}
      <div class="end ${isWorking(run) ? 'growing' : ''}">${this.renderEnd(turn, panel)}</div>
    </article>`;
  }

  /** Renders the newest of many messages, and earlier ones on request. */
  private renderNewest(answers: Turn['answers'], panel: PanelConfig): unknown {
    return html`<button class="button quiet" type="button" @click=${() => (this.most += initialItems)}>
        ${panel.words.t('transcript.earlier')}</button
      >${answers.slice(-1).map((message) => this.renderAnswer(message, panel))}`;
  }

  /** Before the first content, the line of the steps says what the agent is doing. */
  private renderSteps(run: Run, turn: Turn, panel: PanelConfig): unknown {
    steps.request(this);
    const work = isBlank(turn) ? this.workText(turn, panel) : '';
    if (work && !steps.isDefined) return nothing; // the status line says it until the steps are loaded
    return html`<agent-chat-steps
      exportparts="steps, step"
      .run=${run}
      .work=${work}
      .answers=${this.isBusy ? none : turn.answers}
      .open=${this.open}
      ?still=${this.trouble !== ''}
      .words=${panel.words}
    ></agent-chat-steps>`;
  }

  private renderAnswer(message: ConversationMessage, panel: PanelConfig): unknown {
    const streaming = message.status === 'streaming';
    const held = streaming && !panel.config.enableTextStreaming;
    // skip steps that the run already shows
    const own = message.steps.filter((step) => !this.turn.run?.steps.some(({ name }) => name === step.name));
    if (held || !(message.items.length > 0 || message.connection || own[0])) return nothing;
    const { words } = panel;
    const author = personText(message, words) ?? (message.role === 'assistant' ? '' : message.role);
    return html`<div
      class="answer ${message.interim ? 'interim' : ''}"
      part="answer"
      dir=${words.direction === 'rtl' ? 'rtl' : nothing}
    >
      ${author ? html`<span class="from">${author}</span>` : nothing}
      ${own[0] ? this.renderMessageSteps(own, panel) : nothing}
      ${repeat(
        shownItems(message),
        ({ id }) => id,
        (item) => {
          const context = {
            ...inactive(message, panel),
            answer: answerTo(message, item.id),
            active: this.open && !this.isBusy,
            closed: !this.open,
            runStatus: this.turn.run?.status,
            streaming,
            uploads: panel.uploadDocument !== undefined,
          };
          return renderMessageItem(item, context, this);
        },
      )}
    </div>`;
  }

  private renderMessageSteps(own: Run['steps'], { words }: PanelConfig): unknown {
    steps.request(this);
    return html`<agent-chat-steps
      .run=${{ steps: own }}
      .answers=${this.turn.answers}
      .open=${this.open}
      .words=${words}
    ></agent-chat-steps>`;
  }

  private renderSummary(run: Run, { words, policy }: PanelConfig): unknown {
    return html`<details class="answer">
      <summary>${icon(nextIcon, 'directional')}${words.t('steps.summary')}</summary>
      <agent-chat-markdown
        .text=${run.summary}
        .streaming=${false}
        .policy=${policy}
        .words=${words}
      ></agent-chat-markdown>
    </details>`;
  }

  private renderEnd(turn: Turn, panel: PanelConfig): unknown {
    const { run, answers, prompt } = turn;
    const { words, config, feedbackReasons } = panel;
    if (this.isBusy) return this.renderStatus(turn, panel);
    // after a silent prompt nobody expects an answer
    const hasNoAnswer = run !== undefined && prompt !== undefined && endedBlank(run, answers);
    const answer = hasNoAnswer ? undefined : answers.findLast(({ items }) => items.length > 0);
    const notice =
      run && (hasNoAnswer || run.failure || run.status === 'cancelled')
        ? html`<agent-chat-notice
            exportparts="notice"
            .run=${run}
            .canRetry=${this.last || run.failure?.retryable === true}
            .answered=${answer !== undefined && run.status === 'completed'}
            .preview=${config.preview}
            .words=${words}
          ></agent-chat-notice>`
        : nothing;
    const isCutShort = run?.failure && run.status !== 'cancelled' && run.status !== 'completed';
    // nothing competes with a decision, and a run that continues after the reply, or the page's work, is not over;
    // what follows has its own actions
    const isAsking =
      (run?.needsReply && run.endedAt === undefined) ||
      callsPage(turn) ||
      asksToDecide(turn, { ever: !this.last });
    // an answer that was stopped before its beginning, or is empty, can be asked for again
    const subject = answer ?? (this.last && !run?.failure ? prompt : undefined);
    if (!subject || isCutShort || isAsking) return notice;
    return html`${notice}<agent-chat-turn-actions
        exportparts="actions, action"
        .answer=${subject}
        .items=${answers.flatMap(({ items }) => items)}
        .canRegenerate=${this.last && prompt !== undefined}
        .dated=${this.hasTimes}
        .reasons=${feedbackReasons}
        .speaks=${config.speech === 'on'}
        .words=${words}
      ></agent-chat-turn-actions>`;
  }

  /** True while the agent works, and not while it waits for the visitor or a later turn answers them. */
  private get isBusy(): boolean {
    const run = this.turn.run;
    if (run?.status === 'interrupted') return this.trouble === 'resuming';
    return isWorking(run) && !run?.needsReply && (this.last || run?.status !== 'waiting');
  }

  /** What the agent is doing, while it works; `''` while offline, as the header shows the reason. */
  private workText({ run, ...turn }: Turn, { words, slots }: PanelConfig): string {
    const { trouble } = this;
    if (!this.isBusy) return '';
    const ours = trouble || (isWriting(turn) ? 'writing' : 'working');
    const isSaidHere = trouble === 'resuming' || (trouble !== '' && slots.has('header'));
    if (isSaidHere) return words.t(`status.${ours}`);
    return trouble === 'offline' ? '' : runStatusText(run, words, ours);
  }

  /** The status line, unless the line of the steps is in its place. */
  private renderStatus(turn: Turn, panel: PanelConfig): unknown {
    const text = this.workText(turn, panel);
    if (!text || (isBlank(turn) && hasSteps(turn.run) && steps.isDefined)) return nothing;
    const isLive = !isWriting(turn) && !this.trouble;
    return html`<div class="status work ${isLive ? 'live' : ''}" part="status-line">
      <span class="pulse"></span><span class="line" dir="auto">${text}</span>
    </div>`;
  }
}

/** The context of an item that cannot be answered. */
function inactive(
  message: ConversationMessage,
  { words, policy, hostRenderers, config: { preview } }: PanelConfig,
): ItemContext {
  return {
    words,
    policy,
    hostRenderers,
    preview,
    message,
    answer: undefined,
    active: false,
    streaming: false,
  };
}

/** Whether a hidden message had no answer: nobody expects one. */
function isEmpty({ run, prompt, answers }: Turn): boolean {
  return run !== undefined && !prompt && !run.steps[0] && !run.thinking && endedBlank(run, answers);
}

function isWorking(run: Run | undefined): boolean {
  return run?.status === 'submitted' || run?.status === 'streaming' || run?.status === 'waiting';
}

/**
 * The items of a message, with the state of a connection as one more. Items beyond the limit become one item, which
 * shows them on request.
 */
function shownItems({ items, connection, id }: ConversationMessage): readonly ConversationItem[] {
  if (!connection && items.length <= initialItems) return items;
  const own = (type: string, source: ConversationItem['source']): ConversationItem[] => [
    { id: `${id}/${type}`, type, text: '', source },
  ];
  const rest = items.slice(initialItems).map(({ source }) => source);
  return [
    ...items.slice(0, initialItems),
    ...(rest[0] ? own('svc_rest', { items: rest }) : []),
    ...(connection
      ? own('svc_connection_status', {
          connection_status: connection.status,
          connection_message: connection.message,
        })
      : []),
  ];
}

function hasSteps(run: Run | undefined): boolean {
  return run !== undefined && (run.steps.length > 0 || run.plan.length > 0 || run.thinking !== '');
}

/** Whether there is nothing to read yet. */
function isBlank({ answers }: Turn): boolean {
  return !answers.some(({ items, connection }) => items.length > 0 || connection);
}

/** Whether text of the answer is arriving. */
function isWriting({ answers }: Pick<Turn, 'answers'>): boolean {
  return answers.some(({ status, items }) => status === 'streaming' && items.length > 0);
}
