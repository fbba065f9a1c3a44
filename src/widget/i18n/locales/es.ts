import type { Locale } from './en.ts';

/** Spanish. */
export const es: Locale = {
  // launcher
  'launcher.open': 'Abrir chat',
  'launcher.close': 'Cerrar chat',
  'launcher.unread': {
    one: 'Abrir chat, {count} mensaje nuevo',
    many: 'Abrir chat, {count} de mensajes nuevos',
    other: 'Abrir chat, {count} mensajes nuevos',
  },
  'launcher.failed': 'No se pudo cargar el chat. Intentar de nuevo',
  'launcher.loading': 'Abriendo…',

  // panel
  'panel.label': 'Chat con {name}',
  'panel.name': 'Asistente',
  'panel.new': 'Nuevo chat',
  'panel.threads': 'Conversaciones',
  'panel.expand': 'Ampliar',
  'panel.collapse': 'Reducir',
  'panel.close': 'Cerrar',
  'disclosure.mark': 'IA',
  'disclosure.ai': 'Estás chateando con un asistente de IA.',
  'disclosure.mixed': 'Primero responde un asistente de IA; pueden unirse personas.',
  'disclosure.human': 'Aquí responden personas.',

  // transcript
  'transcript.label': 'Conversación',
  'transcript.new-below': 'Contenido nuevo abajo',
  'transcript.earlier': 'Mostrar anteriores',
  'transcript.today': 'Hoy',
  'transcript.yesterday': 'Ayer',
  'greeting.morning': 'Buenos días.',
  'greeting.afternoon': 'Buenas tardes.',
  'greeting.evening': 'Buenas noches.',
  'welcome.title': '¿En qué puedo ayudarte?',
  'starters.label': 'Sugerencias',

  // composer
  'composer.label': 'Mensaje',
  'composer.placeholder': 'Escribe un mensaje',
  'composer.send': 'Enviar',
  'composer.stop': 'Detener',
  'composer.uploading': 'Esperando a que se suban los documentos',
  'composer.returned': 'Lo que aún no se había enviado vuelve a estar en el campo de mensaje.',
  'attach.add': 'Adjuntar documentos',
  'attach.drop': 'Suelta los documentos aquí',
  'attach.blocked': 'No se pudo subir un documento. Súbelo de nuevo o quítalo y después envía.',
  'attach.removed': 'Se quitó {name}.',
  'mention.list': 'Personas y cosas que mencionar',
  'composer.too-long': {
    one: 'Sobra {count} carácter',
    many: 'Sobran {count} de caracteres',
    other: 'Sobran {count} caracteres',
  },
  'message.queued': 'Pendiente de envío',
  'message.remove-queued': 'Quitar',
  'message.not-sent': 'No enviado',
  'message.person': '{name} (una persona)',
  'message.documents': {
    one: '{count} documento adjunto',
    many: '{count} de documentos adjuntos',
    other: '{count} documentos adjuntos',
  },

  // status line
  'status.ready': 'En línea',
  'status.working': 'Trabajando en ello…',
  'status.writing': 'Escribiendo…',
  'status.stalled': 'Aún sin respuesta…',
  'status.offline': 'Sin conexión',
  'status.resuming': 'Reconectando…',
  'status.waiting': 'Falta tu respuesta',
  'status.auth-needed': 'Inicia sesión de nuevo',
  'status.failed': 'Algo salió mal',

  // notices
  'notice.stopped': 'Detenido',
  'notice.may-continue': 'Detenido aquí. Es posible que el asistente termine por su lado.',
  'notice.no-answer': 'No llegó ninguna respuesta.',
  'notice.retry': 'Reintentar',
  'notice.sign-in': 'Iniciar sesión',
  'notice.details': 'Detalles',
  'notice.reference': 'Referencia: {code}',
  'notice.busy': 'El servicio está ocupado en este momento.',
  'notice.retry-later': 'Inténtalo de nuevo más tarde.',
  'notice.retry-seconds': {
    one: 'Inténtalo de nuevo en {count} segundo.',
    many: 'Inténtalo de nuevo en {count} de segundos.',
    other: 'Inténtalo de nuevo en {count} segundos.',
  },
  'notice.retry-minutes': {
    one: 'Inténtalo de nuevo en {count} minuto.',
    many: 'Inténtalo de nuevo en {count} de minutos.',
    other: 'Inténtalo de nuevo en {count} minutos.',
  },
  'failure.run': 'Se produjo un error al responder.',
  'failure.expired': 'Tardó demasiado y se dio por terminado.',
  'failure.interrupted': 'Conexión perdida. Se conserva lo recibido hasta ahora.',
  'failure.network': 'Sin conexión con el servicio.',
  'failure.timeout': 'El servicio no respondió a tiempo.',
  'failure.auth': 'Inicia sesión de nuevo para continuar. Tu texto se conserva.',
  'failure.token': 'El chat no puede conectarse en este momento. Inténtalo de nuevo.',
  'failure.forbidden':
    'No tienes acceso a esta conversación o a este asistente. Puedes empezar un chat nuevo.',
  'failure.not-found': 'Esta conversación o este asistente ya no existe.',
  'failure.too-large': 'Este mensaje es demasiado grande. Acórtalo o elige archivos más pequeños.',
  'failure.invalid': 'El servicio no aceptó este mensaje.',
  'failure.rate-limit': 'Demasiados mensajes a la vez.',
  'failure.server': 'El servicio tiene un problema. Inténtalo de nuevo.',
  'failure.format': 'El servicio envió algo ilegible.',
  'failure.guardrail': 'Esto no se puede responder aquí.',

  // steps
  'steps.count': { one: '{count} paso', many: '{count} de pasos', other: '{count} pasos' },
  'steps.reasoning': 'Razonamiento',
  'steps.plan': 'Plan',
  'steps.summary': 'Resumen',
  'steps.input': 'Entrada',
  'steps.output': 'Resultado',
  'steps.failed': 'con error',
  'steps.done': 'hecho',
  'steps.active': 'en curso',
  'steps.pending': 'pendiente',
  'steps.stopped': 'detenido',
  'time.seconds': '{count} s',
  'time.minutes': '{minutes} min {seconds} s',

  // turn actions
  'actions.label': 'Acciones para esta respuesta',
  'actions.copy': 'Copiar',
  'actions.copied': 'Copiado',
  'actions.regenerate': 'Nueva respuesta',
  'actions.edit': 'Editar',
  'actions.save': 'Enviar de nuevo',
  'actions.cancel': 'Cancelar',
  'feedback.good': 'Buena respuesta',
  'feedback.bad': 'Mala respuesta',
  'feedback.thanks': 'Gracias por tus comentarios',

  // content items
  'content.loading': 'Cargando…',
  'content.failed': 'No se pudo mostrar esta parte.',
  'content.more': { other: 'Mostrar {count} más' },
  'media.image': 'Imagen',
  'date.label': 'Fecha',
  'file.done': 'subido',
  'file.failed': 'No se pudo subir {name}.',

  // forms
  'form.label': 'Formulario',

  // Markdown
  'markdown.copy': 'Copiar',
  'markdown.copied': 'Copiado',
  'markdown.copy-failed': 'No se pudo copiar',
  'markdown.wrap': 'Ajustar líneas',
  'markdown.code': 'Código',
  'markdown.table': 'Tabla',
  'markdown.formula': 'Fórmula',
  'markdown.load-image': 'Cargar imagen de {host}',
  'markdown.task-done': 'Hecho',
  'markdown.task-open': 'Sin hacer',

  // announcements
  'transcript.you-said': 'Has dicho',
  'transcript.name-said': '{name} ha dicho',
  'announce.started': '{name} está respondiendo.',
  'announce.answer': '{name} ha dicho: {text}',
  'announce.question': '{name} pregunta: {text}',
  'announce.done': 'Respuesta completa.',
  'announce.rest': 'El resto está en la conversación.',
  'announce.code': {
    one: 'Código, {count} línea.',
    many: 'Código, {count} de líneas.',
    other: 'Código, {count} líneas.',
  },
  'announce.table': {
    one: 'Tabla, {count} fila.',
    many: 'Tabla, {count} de filas.',
    other: 'Tabla, {count} filas.',
  },
  'announce.choices': 'Opciones: {list}',
  'announce.form': 'Formulario por rellenar: {name}',
  'announce.unread': {
    one: '{count} mensaje nuevo',
    many: '{count} de mensajes nuevos',
    other: '{count} mensajes nuevos',
  },
  'announce.offline': 'Sin conexión. Los mensajes se enviarán cuando vuelvas a estar en línea',
  'announce.reconnected': 'Conectado de nuevo.',
  'announce.new-thread': 'Nuevo chat iniciado.',

  // help: keyboard and announcements
  'help.title': 'Teclado y lectura en voz alta',
};
