import { html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { AgentChat } from 'agent-chat';
import type { EventLog } from './event-log.ts';
import type { Network, Speed } from './network.ts';
import { PlaygroundElement } from './playground-element.ts';
import { scenarioGroups, type Scenario } from './scenarios.ts';
import { client } from './service.ts';

const speeds: readonly Speed[] = ['full', 'slow', 'very slow'];

/** What the page says after a cut, by what was cut. */
const outcomes: Readonly<Record<ReturnType<Network['cut']>, string>> = {
  nothing: 'No answer is coming in right now. Start one first.',
  'before the answer':
    'Cut before the answer began. The chat cannot know whether your message arrived: Retry sends it again.',
  answer: 'Cut. The chat picks the answer up again.',
};

/** Scenarios: sends messages to the demo agent, slows or cuts the connection, and posts a message from outside. */
export class ScenariosPane extends PlaygroundElement {
  @property({ attribute: false }) preview: AgentChat | undefined;
  @property({ attribute: false }) network: Network | undefined;
  @property({ attribute: false }) log: EventLog | undefined;
  @state() private outcome = '';

  override render(): unknown {
    return html`
      <div class="pane-head"><h2>Scenarios</h2></div>
      ${scenarioGroups.map(
        (group) => html`
          <h3 class="group-title">${group.title}</h3>
          <ul class="scenarios">
            ${group.scenarios.map((scenario) => this.renderScenario(scenario))}
          </ul>
        `,
      )}
      <div class="pane-head sub"><h3>The line</h3></div>
      <fieldset class="field">
        <legend><span class="label">Speed of answers</span></legend>
        <div class="choice">
          ${speeds.map(
            (speed) =>
              html`<label>
                <input
                  type="radio"
                  name="speed"
                  .checked=${speed === (this.network?.speed ?? 'full')}
                  @change=${() => this.#setSpeed(speed)}
                /><span>${speed}</span>
              </label>`,
          )}
        </div>
      </fieldset>
      <div class="actions">
        <button class="button" type="button" @click=${() => this.#cut()}>Cut the connection</button>
        <button class="button" type="button" @click=${() => void this.#callBack()}>
          Send a message from outside
        </button>
      </div>
      <p class="note" aria-live="polite">${this.outcome || nothing}</p>
    `;
  }

  private renderScenario(scenario: Scenario): TemplateResult {
    const command = scenario.says.startsWith('/') ? html`<code>${scenario.says}</code>` : nothing;
    return html`<li>
      <button type="button" @click=${() => void this.#run(scenario)}>
        <b>${scenario.title}</b> ${command}
        <small>${scenario.watch}</small>
      </button>
    </li>`;
  }

  async #run(scenario: Scenario): Promise<void> {
    this.outcome = '';
    this.settings?.set({ 'agent-id': 'demo', ...scenario.settings });
    await this.preview?.show();
    if (!scenario.isDraft) return void (await this.preview?.send(scenario.says));
    await this.preview?.setDraft(scenario.says);
    await this.preview?.focusComposer();
  }

  #setSpeed(speed: Speed): void {
    if (this.network) this.network.speed = speed;
    this.requestUpdate();
  }

  #cut(): void {
    this.outcome = outcomes[this.network?.cut() ?? 'nothing'];
  }

  async #callBack(): Promise<void> {
    const thread = this.log?.threadId;
    if (!thread) {
      this.outcome = 'There is no thread yet. Say something in the chat first.';
      return;
    }
    const text = `A colleague looked at it at ${new Date().toLocaleTimeString()}: **all is settled.**`;
    try {
      await client.postCallback(thread, { role: 'assistant', content: [{ response_type: 'text', text }] });
      this.outcome = 'Posted to the thread’s callback endpoint. With the chat closed it counts as unread.';
    } catch (cause) {
      this.outcome = cause instanceof Error ? cause.message : String(cause);
    }
  }
}
ScenariosPane.register('playground-scenarios');
