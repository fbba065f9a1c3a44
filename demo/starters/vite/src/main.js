import 'agent-chat';
