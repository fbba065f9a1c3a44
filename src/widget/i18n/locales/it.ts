import type { Locale } from './en.ts';

/** Italian. */
export const it: Locale = {
  // launcher
  'launcher.open': 'Apri la chat',
  'launcher.close': 'Chiudi la chat',
  'launcher.unread': {
    one: 'Apri la chat, {count} nuovo messaggio',
    many: 'Apri la chat, {count} di nuovi messaggi',
    other: 'Apri la chat, {count} nuovi messaggi',
  },
  'launcher.failed': 'Impossibile caricare la chat. Riprova',
  'launcher.loading': 'Apertura…',

  // panel
  'panel.label': 'Chat con {name}',
  'panel.name': 'Assistente',
  'panel.new': 'Nuova chat',
  'panel.threads': 'Conversazioni',
  'panel.expand': 'Ingrandisci',
  'panel.collapse': 'Riduci',
  'panel.close': 'Chiudi',
  'disclosure.mark': 'IA',
  'disclosure.ai': 'Stai chattando con un assistente IA.',
  'disclosure.mixed': 'Risponde prima un assistente IA; possono intervenire persone.',
  'disclosure.human': 'Qui rispondono persone.',

  // transcript
  'transcript.label': 'Conversazione',
  'transcript.new-below': 'Nuovi contenuti in basso',
  'transcript.earlier': 'Mostra precedenti',
  'transcript.today': 'Oggi',
  'transcript.yesterday': 'Ieri',
  'greeting.morning': 'Buongiorno.',
  'greeting.afternoon': 'Buon pomeriggio.',
  'greeting.evening': 'Buonasera.',
  'welcome.title': 'Come posso aiutarti?',
  'starters.label': 'Suggerimenti',

  // composer
  'composer.label': 'Messaggio',
  'composer.placeholder': 'Scrivi un messaggio',
  'composer.send': 'Invia',
  'composer.stop': 'Interrompi',
  'composer.uploading': 'In attesa del caricamento dei documenti',
  'composer.returned': 'Ciò che non era ancora stato inviato è di nuovo nel campo del messaggio.',
  'attach.add': 'Allega documenti',
  'attach.drop': 'Rilascia qui i documenti',
  'attach.blocked': 'Non è stato possibile caricare un documento. Caricalo di nuovo o rimuovilo, poi invia.',
  'attach.removed': '{name} rimosso.',
  'mention.list': 'Persone ed elementi da menzionare',
  'composer.too-long': {
    one: '{count} carattere di troppo',
    many: '{count} di caratteri di troppo',
    other: '{count} caratteri di troppo',
  },
  'message.queued': 'In attesa di invio',
  'message.remove-queued': 'Rimuovi',
  'message.not-sent': 'Non inviato',
  'message.person': '{name} (una persona)',
  'message.documents': {
    one: '{count} documento allegato',
    many: '{count} di documenti allegati',
    other: '{count} documenti allegati',
  },

  // status line
  'status.ready': 'Online',
  'status.working': 'Elaborazione…',
  'status.writing': 'Sta scrivendo…',
  'status.stalled': 'Ancora in attesa…',
  'status.offline': 'Sei offline',
  'status.resuming': 'Riconnessione…',
  'status.waiting': 'Manca la tua risposta',
  'status.auth-needed': 'Accedi di nuovo',
  'status.failed': 'Si è verificato un errore',

  // notices
  'notice.stopped': 'Interrotto',
  'notice.may-continue': 'Interrotto qui. L’assistente potrebbe comunque terminare per conto suo.',
  'notice.no-answer': 'Non è arrivata alcuna risposta.',
  'notice.retry': 'Riprova',
  'notice.sign-in': 'Accedi',
  'notice.details': 'Dettagli',
  'notice.reference': 'Riferimento: {code}',
  'notice.busy': 'Il servizio è molto occupato in questo momento.',
  'notice.retry-later': 'Riprova più tardi.',
  'notice.retry-seconds': {
    one: 'Riprova tra {count} secondo.',
    many: 'Riprova tra {count} di secondi.',
    other: 'Riprova tra {count} secondi.',
  },
  'notice.retry-minutes': {
    one: 'Riprova tra {count} minuto.',
    many: 'Riprova tra {count} di minuti.',
    other: 'Riprova tra {count} minuti.',
  },
  'failure.run': 'Si è verificato un errore durante la risposta.',
  'failure.expired': 'Ha richiesto troppo tempo ed è stato interrotto.',
  'failure.interrupted': 'Connessione persa. Quanto ricevuto finora è conservato.',
  'failure.network': 'Nessuna connessione al servizio.',
  'failure.timeout': 'Il servizio non ha risposto in tempo.',
  'failure.auth': 'Accedi di nuovo per continuare. Il tuo testo è conservato.',
  'failure.token': 'La chat non riesce a connettersi in questo momento. Riprova.',
  'failure.forbidden':
    'Non hai accesso a questa conversazione o a questo assistente. Puoi iniziare una nuova chat.',
  'failure.not-found': 'Questa conversazione o questo assistente non esiste più.',
  'failure.too-large': 'Questo messaggio è troppo grande. Accorcialo o scegli file più piccoli.',
  'failure.invalid': 'Il servizio non ha accettato questo messaggio.',
  'failure.rate-limit': 'Troppi messaggi insieme.',
  'failure.server': 'Il servizio ha un problema. Riprova.',
  'failure.format': 'Il servizio ha inviato qualcosa di illeggibile.',
  'failure.guardrail': 'Qui non è possibile rispondere a questo.',

  // steps
  'steps.count': { one: '{count} passaggio', many: '{count} di passaggi', other: '{count} passaggi' },
  'steps.reasoning': 'Ragionamento',
  'steps.plan': 'Piano',
  'steps.summary': 'Riepilogo',
  'steps.input': 'Input',
  'steps.output': 'Risultato',
  'steps.failed': 'non riuscito',
  'steps.done': 'completato',
  'steps.active': 'in corso',
  'steps.pending': 'da fare',
  'steps.stopped': 'interrotto',
  'time.seconds': '{count} s',
  'time.minutes': '{minutes} min {seconds} s',

  // turn actions
  'actions.label': 'Azioni per questa risposta',
  'actions.copy': 'Copia',
  'actions.copied': 'Copiato',
  'actions.regenerate': 'Nuova risposta',
  'actions.edit': 'Modifica',
  'actions.save': 'Invia di nuovo',
  'actions.cancel': 'Annulla',
  'feedback.good': 'Buona risposta',
  'feedback.bad': 'Risposta inadeguata',
  'feedback.thanks': 'Grazie per il tuo feedback',

  // content items
  'content.loading': 'Caricamento…',
  'content.failed': 'Impossibile mostrare questa parte.',
  'content.more': { one: 'Mostra altro {count}', other: 'Mostra altri {count}' },
  'media.image': 'Immagine',
  'date.label': 'Data',
  'file.done': 'caricato',
  'file.failed': 'Impossibile caricare {name}.',

  // forms
  'form.label': 'Modulo',

  // Markdown
  'markdown.copy': 'Copia',
  'markdown.copied': 'Copiato',
  'markdown.copy-failed': 'Copia non riuscita',
  'markdown.wrap': 'A capo',
  'markdown.code': 'Codice',
  'markdown.table': 'Tabella',
  'markdown.formula': 'Formula',
  'markdown.load-image': 'Carica l’immagine da {host}',
  'markdown.task-done': 'Fatto',
  'markdown.task-open': 'Da fare',

  // announcements
  'transcript.you-said': 'Hai detto',
  'transcript.name-said': '{name} ha detto',
  'announce.started': '{name} sta rispondendo.',
  'announce.answer': '{name} ha detto: {text}',
  'announce.question': '{name} chiede: {text}',
  'announce.done': 'Risposta completa.',
  'announce.rest': 'Il resto è nella conversazione.',
  'announce.code': {
    one: 'Codice, {count} riga.',
    many: 'Codice, {count} di righe.',
    other: 'Codice, {count} righe.',
  },
  'announce.table': {
    one: 'Tabella, {count} riga.',
    many: 'Tabella, {count} di righe.',
    other: 'Tabella, {count} righe.',
  },
  'announce.choices': 'Scelte: {list}',
  'announce.form': 'Modulo da compilare: {name}',
  'announce.unread': {
    one: '{count} nuovo messaggio',
    many: '{count} di nuovi messaggi',
    other: '{count} nuovi messaggi',
  },
  'announce.offline': 'Sei offline. I messaggi verranno inviati quando tornerai online',
  'announce.reconnected': 'Di nuovo connesso.',
  'announce.new-thread': 'Nuova chat iniziata.',

  // help: keyboard and announcements
  'help.title': 'Tastiera e lettura ad alta voce',
};
