import 'agent-chat';
import { Component, CUSTOM_ELEMENTS_SCHEMA } from '@angular/core';

@Component({
  selector: 'app-root',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <h1>Harbour</h1>
    <agent-chat
      [baseUrl]="service"
      agent-id="demo"
      token-url="/chat-token"
      primary-color="#0f62fe"
      (agent-chat-message-complete)="answers = answers + 1"
    ></agent-chat>
    <p>Answers: {{ answers }}</p>
  `,
})
export class App {
  protected readonly service = 'http://localhost:8787';
  protected answers = 0;
}
