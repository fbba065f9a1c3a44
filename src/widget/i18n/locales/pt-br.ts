import type { Locale } from './en.ts';

/** Portuguese as spoken in Brazil. */
export const ptBR: Locale = {
  // launcher
  'launcher.open': 'Abrir chat',
  'launcher.close': 'Fechar chat',
  'launcher.unread': {
    one: 'Abrir chat, {count} mensagem nova',
    many: 'Abrir chat, {count} de mensagens novas',
    other: 'Abrir chat, {count} mensagens novas',
  },
  'launcher.failed': 'Não foi possível carregar o chat. Tentar de novo',
  'launcher.loading': 'Abrindo…',

  // panel
  'panel.label': 'Chat com {name}',
  'panel.name': 'Assistente',
  'panel.new': 'Novo chat',
  'panel.threads': 'Conversas',
  'panel.expand': 'Ampliar',
  'panel.collapse': 'Reduzir',
  'panel.close': 'Fechar',
  'disclosure.mark': 'IA',
  'disclosure.ai': 'Você está conversando com um assistente de IA.',
  'disclosure.mixed': 'Um assistente de IA responde primeiro; pessoas podem participar.',
  'disclosure.human': 'Aqui quem responde são pessoas.',

  // transcript
  'transcript.label': 'Conversa',
  'transcript.new-below': 'Novo conteúdo abaixo',
  'transcript.earlier': 'Mostrar anteriores',
  'transcript.today': 'Hoje',
  'transcript.yesterday': 'Ontem',
  'greeting.morning': 'Bom dia.',
  'greeting.afternoon': 'Boa tarde.',
  'greeting.evening': 'Boa noite.',
  'welcome.title': 'Como posso ajudar?',
  'starters.label': 'Sugestões',

  // composer
  'composer.label': 'Mensagem',
  'composer.placeholder': 'Escreva uma mensagem',
  'composer.send': 'Enviar',
  'composer.stop': 'Parar',
  'composer.uploading': 'Aguardando o upload dos documentos',
  'composer.returned': 'O que ainda não tinha sido enviado voltou para o campo de mensagem.',
  'attach.add': 'Anexar documentos',
  'attach.drop': 'Solte os documentos aqui',
  'attach.blocked':
    'Não foi possível fazer upload de um documento. Tente de novo ou remova-o e depois envie a mensagem.',
  'attach.removed': '{name} foi removido.',
  'mention.list': 'Pessoas e itens para mencionar',
  'composer.too-long': {
    one: '{count} caractere a mais',
    many: '{count} de caracteres a mais',
    other: '{count} caracteres a mais',
  },
  'message.queued': 'Aguardando envio',
  'message.remove-queued': 'Remover',
  'message.not-sent': 'Não enviada',
  'message.person': '{name} (uma pessoa)',
  'message.documents': {
    one: '{count} documento anexado',
    many: '{count} de documentos anexados',
    other: '{count} documentos anexados',
  },

  // status line
  'status.ready': 'On-line',
  'status.working': 'Trabalhando nisso…',
  'status.writing': 'Escrevendo…',
  'status.stalled': 'Ainda sem resposta…',
  'status.offline': 'Você está off-line',
  'status.resuming': 'Reconectando…',
  'status.waiting': 'Falta a sua resposta',
  'status.auth-needed': 'Entre novamente',
  'status.failed': 'Algo deu errado',

  // notices
  'notice.stopped': 'Interrompido',
  'notice.may-continue': 'Interrompido aqui. O assistente ainda pode terminar do lado dele.',
  'notice.no-answer': 'Nenhuma resposta chegou.',
  'notice.retry': 'Tentar de novo',
  'notice.sign-in': 'Entrar',
  'notice.details': 'Detalhes',
  'notice.reference': 'Referência: {code}',
  'notice.busy': 'O serviço está ocupado no momento.',
  'notice.retry-later': 'Tente de novo mais tarde.',
  'notice.retry-seconds': {
    one: 'Tente de novo em {count} segundo.',
    many: 'Tente de novo em {count} de segundos.',
    other: 'Tente de novo em {count} segundos.',
  },
  'notice.retry-minutes': {
    one: 'Tente de novo em {count} minuto.',
    many: 'Tente de novo em {count} de minutos.',
    other: 'Tente de novo em {count} minutos.',
  },
  'failure.run': 'Ocorreu um erro durante a resposta.',
  'failure.expired': 'Demorou demais e foi encerrado.',
  'failure.interrupted': 'Conexão perdida. O que chegou até agora foi mantido.',
  'failure.network': 'Sem conexão com o serviço.',
  'failure.timeout': 'O serviço não respondeu a tempo.',
  'failure.auth': 'Entre novamente para continuar. Seu texto foi mantido.',
  'failure.token': 'O chat não consegue se conectar no momento. Tente de novo.',
  'failure.forbidden':
    'Você não tem acesso a esta conversa ou a este assistente. Você pode começar um novo chat.',
  'failure.not-found': 'Esta conversa ou este assistente não existe mais.',
  'failure.too-large': 'Esta mensagem é grande demais. Reduza o texto ou escolha arquivos menores.',
  'failure.invalid': 'O serviço não aceitou esta mensagem.',
  'failure.rate-limit': 'Mensagens demais ao mesmo tempo.',
  'failure.server': 'O serviço está com um problema. Tente de novo.',
  'failure.format': 'O serviço enviou algo ilegível.',
  'failure.guardrail': 'Não é possível responder a isso aqui.',

  // steps
  'steps.count': { one: '{count} etapa', many: '{count} de etapas', other: '{count} etapas' },
  'steps.reasoning': 'Raciocínio',
  'steps.plan': 'Plano',
  'steps.summary': 'Resumo',
  'steps.input': 'Entrada',
  'steps.output': 'Resultado',
  'steps.failed': 'falhou',
  'steps.done': 'concluída',
  'steps.active': 'em andamento',
  'steps.pending': 'a fazer',
  'steps.stopped': 'interrompida',
  'time.seconds': '{count} s',
  'time.minutes': '{minutes} min {seconds} s',

  // turn actions
  'actions.label': 'Ações para esta resposta',
  'actions.copy': 'Copiar',
  'actions.copied': 'Copiado',
  'actions.regenerate': 'Nova resposta',
  'actions.edit': 'Editar',
  'actions.save': 'Enviar de novo',
  'actions.cancel': 'Cancelar',
  'feedback.good': 'Boa resposta',
  'feedback.bad': 'Resposta ruim',
  'feedback.thanks': 'Agradecemos seu feedback',

  // content items
  'content.loading': 'Carregando…',
  'content.failed': 'Não foi possível mostrar esta parte.',
  'content.more': { other: 'Mostrar mais {count}' },
  'media.image': 'Imagem',
  'date.label': 'Data',
  'file.done': 'upload concluído',
  'file.failed': 'Não foi possível fazer upload de {name}.',

  // forms
  'form.label': 'Formulário',

  // Markdown
  'markdown.copy': 'Copiar',
  'markdown.copied': 'Copiado',
  'markdown.copy-failed': 'Falha ao copiar',
  'markdown.wrap': 'Quebrar linhas',
  'markdown.code': 'Código',
  'markdown.table': 'Tabela',
  'markdown.formula': 'Fórmula',
  'markdown.load-image': 'Carregar imagem de {host}',
  'markdown.task-done': 'Feito',
  'markdown.task-open': 'Não feito',

  // announcements
  'transcript.you-said': 'Você disse',
  'transcript.name-said': '{name} disse',
  'announce.started': '{name} está respondendo.',
  'announce.answer': '{name} disse: {text}',
  'announce.question': '{name} pergunta: {text}',
  'announce.done': 'Resposta completa.',
  'announce.rest': 'O restante está na conversa.',
  'announce.code': {
    one: 'Código, {count} linha.',
    many: 'Código, {count} de linhas.',
    other: 'Código, {count} linhas.',
  },
  'announce.table': {
    one: 'Tabela, {count} linha.',
    many: 'Tabela, {count} de linhas.',
    other: 'Tabela, {count} linhas.',
  },
  'announce.choices': 'Opções: {list}',
  'announce.form': 'Formulário a preencher: {name}',
  'announce.unread': {
    one: '{count} mensagem nova',
    many: '{count} de mensagens novas',
    other: '{count} mensagens novas',
  },
  'announce.offline': 'Você está off-line. As mensagens serão enviadas quando você voltar',
  'announce.reconnected': 'Conectado de novo.',
  'announce.new-thread': 'Novo chat iniciado.',

  // help: keyboard and announcements
  'help.title': 'Teclado e leitura em voz alta',
};
