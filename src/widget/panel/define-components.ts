import { defineElement } from '../platform/define-element.ts';
import { MarkdownElement } from '../markdown/markdown-element.ts';
import { ComposerElement } from './composer/composer.ts';
import { HeaderElement } from './header.ts';
import { NoticeElement } from './transcript/notice.ts';
import { PanelElement } from './panel.ts';
import { TranscriptElement } from './transcript/transcript.ts';
import { TurnActionsElement } from './transcript/turn-actions.ts';
import { TurnElement } from './transcript/turn.ts';
import { VisitorMessageElement } from './transcript/visitor-message.ts';
import { WelcomeElement } from './transcript/welcome.ts';

/** Registers the panel's elements. Children come first, so that each element finds its children already defined. */
export function defineComponents(): void {
  defineElement('agent-chat-markdown', MarkdownElement);
  defineElement('agent-chat-notice', NoticeElement);
  defineElement('agent-chat-visitor-message', VisitorMessageElement);
  defineElement('agent-chat-turn-actions', TurnActionsElement);
  defineElement('agent-chat-turn', TurnElement);
  defineElement('agent-chat-welcome', WelcomeElement);
  defineElement('agent-chat-transcript', TranscriptElement);
  defineElement('agent-chat-header', HeaderElement);
  defineElement('agent-chat-composer', ComposerElement);
  defineElement('agent-chat-panel', PanelElement);
}
