import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { consume } from '@lit/context';
import { property, query, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { SessionState } from '../../../session/index.ts';
import {
  configContext,
  conversationContext,
  type ConversationView,
  listsThreads,
  type PanelConfig,
  sessionContext,
} from '../../contexts.ts';
import { firstOpenTurn } from '../../../conversation/open-turns.ts';
import { FormOpenEvent } from '../../events/panel-events.ts';
import { LazyElement } from '../../platform/lazy-element.ts';
import { downIcon, icon } from '../../theme/icons.ts';
import { sharedStyles } from '../../theme/shared.styles.ts';
import type { Turn } from '../../../conversation/turns.ts';
import type { Strings } from '../../i18n/strings.ts';
import { AutoScrollController, distanceFromTop } from './auto-scroll-controller.ts';
import { MessageNavigation } from './message-navigation.ts';
import { timeOfDay } from '../../i18n/time-of-day.ts';
import { troubleOf } from '../../i18n/status-strings.ts';
import { turnParts } from '../../theme/css-parts.ts';
import { transcriptStyles } from './transcript.styles.ts';
import type { TurnElement } from './turn.ts';

const historyElement = new LazyElement('agent-chat-history-status', () =>
  import('./history-status.ts').then((module) => module.HistoryStatusElement),
);

/** Number of turns rendered at first: more than a screenful, few enough to open a long thread quickly. */
const initialTurns = 10;
/** Number of turns that "Show earlier" adds. */
const turnsPerPage = 50;
/** A turn this long after the previous one gets a mark with day and time, in ms. */
const markGapMs = 3_600_000;

/**
 * The conversation, in a scroller that follows the end only while the reader is there, and a new answer only until the
 * question is at the top.
 *
 * @element agent-chat-transcript
 * @slot empty - Replaces the welcome page
 * @csspart transcript
 * @csspart day-mark
 * @csspart new-below
 */
export class TranscriptElement extends LitElement {
  static override styles = [sharedStyles, transcriptStyles];

  @consume({ context: configContext, subscribe: true })
  @property({ attribute: false })
  panel!: PanelConfig;
  @consume({ context: conversationContext, subscribe: true })
  @property({ attribute: false })
  view!: ConversationView;
  @consume({ context: sessionContext, subscribe: true })
  @property({ attribute: false })
  session!: SessionState;
  @state() private limit = initialTurns;
  @query('.scroller') private readonly scroller!: HTMLElement;
  @query('.content') private readonly content!: HTMLElement;
  @query('agent-chat-turn:last-of-type') private readonly lastTurn!: LitElement | null;
  readonly #autoScroll = new AutoScrollController(this, () =>
    this.lastTurn?.renderRoot.querySelector('.turn'),
  );
  /**
   * Id of the turn that started while the visitor watched. The content from it on is at least as high as the view, so
   * that the question can be at the top.
   */
  #pinned: string | undefined;
  /** The same turn while it has no answer yet: it slides in. The answer appears without animation. */
  #entering: string | undefined;
  /** Whether the newest run was under way at the last update. */
  #wasRunning = false;
  /** The newest turn, if the visitor started it on this page. */
  #started: string | undefined;
  #newest: string | undefined;
  #threadStart: string | undefined;

  constructor() {
    super();
    new MessageNavigation(this);
    this.addEventListener(FormOpenEvent.type, (event) => {
      event.stopPropagation();
      const [form] = event.composedPath();
      if (form instanceof HTMLElement) this.#autoScroll.keepStart(form);
    });
  }

  /** Focuses the conversation; arrow keys move from there to its messages. */
  override focus(options?: FocusOptions): void {
    this.scroller.focus(options);
  }

  /** Scrolls by so many views, up if negative; `Infinity` means to the start or the end. False if there is no more. */
  scrollByViews(views: number): boolean {
    return this.#autoScroll.scrollByViews(this.scroller, views);
  }

  /** Called by `moveBefore`. */
  connectedMoveCallback(): void {
    this.#autoScroll.restore();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('view')) return;
    const { turns } = this.view;
    const first = turns[0]?.id;
    if (first !== this.#threadStart) this.#startThread(first);
    else if (!this.#autoScroll.following) {
      const before = changed.get('view') as ConversationView | undefined;
      this.#addBelow(turns, before?.turns ?? turns);
    }
    this.#pinNewest(this.view);
  }

  /** Another conversation is shown, from its end. `first`: the id of its first turn. */
  #startThread(first: string | undefined): void {
    if (!first) {
      this.scroller.scrollTop = 0;
      this.#autoScroll.follow();
    }
    this.#threadStart = first;
    this.limit = initialTurns;
  }

  /** Something may be new below what is being read: the rendered turns stay. */
  #addBelow(turns: readonly Turn[], before: readonly Turn[]): void {
    this.limit += Math.max(0, turns.length - before.length);
    const [last, was] = [turns.at(-1), before.at(-1)];
    const hasFailed = last?.run?.failure !== undefined && was?.run?.failure === undefined;
    if (lengthOf(last) > lengthOf(was) || turns.length > before.length || hasFailed)
      this.#autoScroll.contentAdded();
  }

  /**
   * Gives the turn of the newest question, if the visitor started it here, the space of a screen once its run has
   * started. What came below it without a question does not count: it may come before the question is drawn.
   */
  #pinNewest({ turns, startedRunId }: ConversationView): void {
    const newest = turns.findLast(({ prompt }) => prompt);
    if (newest?.id !== this.#newest) {
      this.#newest = newest?.id;
      const started =
        newest && (newest.prompt?.status === 'queued' || (newest.run && newest.run.id === startedRunId));
      this.#started = started ? newest.id : undefined;
      if (started) void this.#followNewest();
      else this.#pinned = this.#entering = undefined; // a restored turn gets no extra space
    }
    // a run that is retried is read from its beginning, too
    const isRunning = [newest, turns.at(-1)].some(isUnderWay);
    const isRetried = !this.#wasRunning && isUnderWay(newest);
    if (newest?.run && this.#started === newest.id && (this.#pinned !== newest.id || isRetried)) {
      this.#pinned = newest.id;
      this.#entering = newest.answers.length === 0 ? newest.id : undefined;
      void this.#followNewest();
    }
    if (this.#wasRunning && !isRunning) void this.#showEnd();
    this.#wasRunning = isRunning;
  }

  async #showEnd(): Promise<void> {
    await this.updateComplete;
    await this.lastTurn?.updateComplete;
    this.#autoScroll.answerEnded();
  }

  protected override updated(): void {
    if (this.#threadStart) this.#autoScroll.attach(this.scroller, this.content);
    else if (this.scroller) this.#autoScroll.pause(this.scroller, this.content); // the home page starts at its top
    const pinned = this.renderRoot.querySelector<HTMLElement>('.pinned');
    const isAbove = pinned && pinned !== this.lastTurn;
    this.content?.style.setProperty('--_above', isAbove ? `${distanceFromTop(this.content, pinned)}px` : '');
  }

  /** Follows the newest answer until the question is at the top. */
  async #followNewest(): Promise<void> {
    await this.updateComplete;
    const turns = [...this.renderRoot.querySelectorAll<TurnElement>('agent-chat-turn')];
    const newest = turns.findLast(({ turn }) => turn.prompt);
    await newest?.updateComplete;
    this.#autoScroll.follow(newest?.renderRoot.querySelector<HTMLElement>('.prompt'));
  }

  override render(): unknown {
    const { panel, view, session } = this;
    const turns = view.turns.slice(-this.limit);
    // a queued message does not count as the newest turn, nor does a form that was sent to the run that asked
    const newest = turns.findLastIndex(({ run, prompt }) =>
      prompt ? (run ?? prompt.status !== 'queued') : run?.route !== 'callback' || run.status !== 'completed',
    );
    const firstOpen = firstOpenTurn(turns);
    /** The last turn with a time, of those rendered so far. */
    let dated: Turn | undefined;
    const history = this.isHistoryShown ? this.renderHistory(panel.words) : nothing;
    // nothing can be sent before the visitor signs in: offer that beside the composer, once
    const isRefused = view.run?.failure?.kind === 'auth';
    const isHistoryBelow = turns.length > 0 && session.history === 'auth-needed';
    return html`<div
      class="scroller scrolls"
      part="transcript"
      role="log"
      aria-live="off"
      aria-label=${panel.words.t('transcript.label')}
      tabindex="0"
    >
      <div class="content">
        ${view.turns.length > turns.length ? this.renderEarlier(panel.words) : nothing}
        ${isHistoryBelow ? nothing : history}
        ${
          turns.length === 0
            ? this.isHistoryShown
              ? nothing
              : html`<slot name="empty"
                  ><agent-chat-welcome
                    exportparts="welcome, starter"
                    .panel=${panel}
                    .lists=${listsThreads(panel, session)}
                  ></agent-chat-welcome
                ></slot>`
            : repeat(
                turns,
                ({ id }) => id,
                (turn, index) => {
                  const before = dated;
                  if (timeOf(turn)) dated = turn;
                  return this.renderTurn(turn, before, panel, {
                    last: index >= newest,
                    open: index >= firstOpen,
                  });
                },
              )
        }
        ${isHistoryBelow && !isRefused ? history : nothing}
      </div>
      <div class="below">
        ${
          this.#autoScroll.newBelow
            ? html`<button
                class="pill"
                part="new-below"
                type="button"
                @click=${() => this.#autoScroll.scrollToEnd()}
              >
                ${icon(downIcon)}${panel.words.t('transcript.new-below')}
              </button>`
            : nothing
        }
      </div>
    </div>`;
  }

  /** The placeholder is hidden while messages that are already there are shown and the rest loads. */
  private get isHistoryShown(): boolean {
    const { history } = this.session;
    return history !== 'none' && (history !== 'loading' || this.view.turns.length === 0);
  }

  private renderHistory(words: Strings): unknown {
    historyElement.request(this);
    return html`<agent-chat-history-status
      exportparts="notice"
      .state=${this.session.history}
      .offline=${this.session.connection === 'offline'}
      .partial=${this.view.turns.length !== 0}
      .words=${words}
    ></agent-chat-history-status>`;
  }

  private renderEarlier(words: Strings): unknown {
    return html`<button class="button quiet earlier" type="button" @click=${this.#showEarlier}>
      ${words.t('transcript.earlier')}
    </button>`;
  }

  private renderTurn(
    turn: Turn,
    before: Turn | undefined,
    panel: PanelConfig,
    { last, open }: { readonly last: boolean; readonly open: boolean },
  ): unknown {
    const at = timeOf(turn);
    const hasJustBegun = !before && at >= performance.timeOrigin;
    const mark = at - timeOf(before) > markGapMs || differentDay(at, timeOf(before));
    const trouble = last ? troubleOf(this.session.connection) : '';
    return html`${
        mark && at > 0
          ? html`<p class="mark" part="day-mark">
              <time datetime=${new Date(at).toISOString()}>${dayAndTime(at, panel.words, hasJustBegun)}</time>
            </p>`
          : nothing
      }<agent-chat-turn
        class="${turn.id === this.#pinned ? 'pinned' : ''} ${turn.id === this.#entering ? 'entering' : ''}"
        exportparts=${turnParts}
        .panel=${panel}
        .turn=${turn}
        .last=${last}
        .open=${open}
        .trouble=${trouble}
      ></agent-chat-turn>`;
  }

  /** Renders earlier turns; the visible ones keep their position. */
  readonly #showEarlier = async (): Promise<void> => {
    const module = await import('./keep-position.ts').catch(() => undefined); // the browser may keep it, too
    const settle = module?.keepPosition(this.renderRoot, this.scroller);
    this.limit += turnsPerPage;
    await this.updateComplete;
    await settle?.();
  };
}

function isUnderWay(turn: Turn | undefined): boolean {
  return turn?.run !== undefined && turn.run.endedAt === undefined;
}

/** Amount of content in a turn's answers. Only if it grows is there something new to read. */
function lengthOf(turn: Turn | undefined): number {
  // some pages hide streaming messages
  const ended = turn?.answers.filter(({ status }) => status !== 'streaming') ?? [];
  const items = turn?.answers.flatMap((answer) => answer.items) ?? [];
  return items.reduce((sum, { text }) => sum + 1 + text.length, ended.length);
}

function timeOf(turn: Turn | undefined): number {
  return turn?.prompt?.createdAt ?? turn?.answers[0]?.createdAt ?? 0;
}

function differentDay(one: number, other: number): boolean {
  return new Date(one).toDateString() !== new Date(other).toDateString();
}

/** Formatted dates by locale and time; formatting is slower than rendering the rest of a turn. */
const dates = new Map<string, string>();

/** The day, and the time unless the visitor knows it: the first format in a page takes 15 ms. */
function dayAndTime(at: number, words: Strings, hasJustBegun: boolean): string {
  const now = new Date();
  const day = !differentDay(at, now.getTime())
    ? words.t('transcript.today')
    : !differentDay(at, new Date(now).setDate(now.getDate() - 1))
      ? words.t('transcript.yesterday')
      : '';
  if (day) return hasJustBegun ? day : `${day} ${timeOfDay(at, words)}`;
  const key = words.locale + String(at);
  const date = new Date(at);
  const text =
    dates.get(key) ??
    date.toLocaleString(words.locale, {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      // add the year when it is not the current one
      year: date.getFullYear() === now.getFullYear() ? undefined : 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
  dates.set(key, text);
  return text;
}
