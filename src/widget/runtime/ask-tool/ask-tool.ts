import type { ReactiveController } from 'lit';
import { asObject } from '../../../conversation/read-values.ts';
import type { ChatHost } from '../../chat-host.ts';
import { agentName } from '../../contexts.ts';
import { diagnose } from '../../events/report-diagnostic.ts';
import { waitForActingStrings } from '../../i18n/acting-strings.ts';
import { defineElement } from '../../platform/define-element.ts';
import { modelContext, ownToolNames } from '../page-tools/model-context.ts';
import { AskCardElement } from './ask-card.ts';
import { answerTo, type ToolAnswer } from './answer-to.ts';

/** In characters. */
const maxQuestionLength = 4_000;
/** How long the visitor may take to consent, in milliseconds. */
const consentTimeout = 300_000;
/** How many chats of one name a page can offer. */
const maxChatsOfOneName = 9;

/** Offers the chat to the browser's own agent, while `ask-tool` is on and the element is in the page. */
export function offerChat(host: ChatHost): void {
  defineElement('agent-chat-ask-card', AskCardElement);
  host.addController(new AskTool(host));
}

/**
 * The chat as one WebMCP tool. Its questions are the visitor's messages, so the visitor consents once in each
 * conversation.
 */
class AskTool implements ReactiveController {
  readonly #host: ChatHost;
  /** The chat's name when the tool was registered; `''` while it is not registered. */
  #name = '';
  #registration = new AbortController();
  /** What the visitor chose, and in which conversation. */
  #consent: { readonly isAllowed: boolean; threadId: string | undefined } | undefined;
  /** The open question to the visitor; concurrent calls share it. */
  #asking: Promise<boolean> | undefined;

  constructor(host: ChatHost) {
    this.#host = host;
  }

  hostConnected(): void {
    this.#update();
  }

  hostDisconnected(): void {
    this.#update();
  }

  hostUpdated(): void {
    this.#update();
  }

  /** Registers or unregisters the tool, as the settings say. */
  #update(): void {
    const { config, isConnected } = this.#host;
    const isOffered = config.askTool === 'on' && isConnected && (config.isLive || config.preview);
    const name = isOffered ? agentName(this.#host) : '';
    if (name === this.#name) return;
    this.#name = name;
    this.#registration.abort();
    this.#registration = new AbortController();
    if (name) void this.#register(name, this.#registration.signal);
  }

  async #register(name: string, signal: AbortSignal): Promise<void> {
    await waitForActingStrings(() => this.#host.words);
    const context = modelContext();
    if (!context?.registerTool || signal.aborted) return;
    const tool = {
      title: this.#host.words.t('ask-tool.title', { name }),
      description: `Asks the assistant of this web page ("${name}") a question and returns its answer. The visitor sees both, and is asked for consent first.`,
      inputSchema: {
        type: 'object',
        properties: { question: { type: 'string', minLength: 1, maxLength: maxQuestionLength } },
        required: ['question'],
      },
      annotations: { untrustedContentHint: true },
      execute: (input: unknown) => this.#execute(input),
    };
    for (let count = 1; count <= maxChatsOfOneName; count += 1) {
      const toolName = toolNameOf(name, count);
      try {
        await context.registerTool({ ...tool, name: toolName }, { signal });
        ownToolNames.add(toolName);
        signal.addEventListener('abort', () => ownToolNames.delete(toolName));
        return;
      } catch (error) {
        if (signal.aborted) return;
        // another chat has this name
        if (error instanceof DOMException && error.name === 'InvalidStateError') continue;
        diagnose(this.#host, 'page-tool', `The chat is not offered to the browser's agent: ${String(error)}`);
        return;
      }
    }
  }

  async #execute(input: unknown): Promise<ToolAnswer> {
    const { question } = asObject(input);
    if (typeof question !== 'string' || !question.trim() || question.length > maxQuestionLength)
      return failure(`The question must be a string of 1 to ${maxQuestionLength} characters.`);
    if (!(await this.#isAllowed(question))) return failure('The visitor did not allow this.');
    await this.#host.send(question);
    const { conversation } = this.#host;
    if (this.#consent) this.#consent.threadId ??= conversation?.threadId;
    return conversation ? answerTo(conversation, question) : failure('The question was not sent.');
  }

  async #isAllowed(question: string): Promise<boolean> {
    const threadId = this.#host.conversation?.threadId;
    if (this.#consent && this.#consent.threadId !== threadId) this.#consent = undefined;
    if (this.#consent) return this.#consent.isAllowed;
    return (this.#asking ??= this.#ask(question).finally(() => (this.#asking = undefined)));
  }

  async #ask(question: string): Promise<boolean> {
    const host = this.#host;
    await host.show();
    await host.updateComplete;
    // wait again: the first opening may have changed the language
    await waitForActingStrings(() => host.words);
    const card = new AskCardElement();
    card.slot = 'before-composer';
    card.question = question;
    card.words = host.words;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const choice = await new Promise<boolean | undefined>((resolve) => {
      card.choose = resolve;
      timer = setTimeout(() => resolve(undefined), consentTimeout);
      // the panel's own children are slots of the page
      host.renderRoot.querySelector('agent-chat-panel')?.append(card);
    });
    clearTimeout(timer);
    card.remove();
    if (choice === undefined) return false; // no choice in time: the next call asks again
    void host.focusComposer();
    this.#consent = { isAllowed: choice, threadId: host.conversation?.threadId };
    return choice;
  }
}

/** Name of the tool, such as `ask_harbour_office`, or `ask_harbour_office_2` for the second chat of that name. */
function toolNameOf(name: string, count: number): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '_')
    .replace(/^_|_$/g, '');
  return `ask_${plain.slice(0, 60) || 'chat'}${count > 1 ? `_${count}` : ''}`;
}

function failure(text: string): ToolAnswer {
  return { content: [{ type: 'text', text }], isError: true };
}
