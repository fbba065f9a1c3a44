import type { Locale } from './en.ts';

/** German. */
export const de: Locale = {
  // launcher
  'launcher.open': 'Chat öffnen',
  'launcher.close': 'Chat schließen',
  'launcher.unread': {
    one: 'Chat öffnen, {count} neue Nachricht',
    other: 'Chat öffnen, {count} neue Nachrichten',
  },
  'launcher.failed': 'Der Chat konnte nicht geladen werden. Erneut versuchen',
  'launcher.loading': 'Wird geöffnet\u00a0…',

  // panel
  'panel.label': 'Chat mit {name}',
  'panel.name': 'Assistent',
  'panel.new': 'Neuer Chat',
  'panel.threads': 'Unterhaltungen',
  'panel.expand': 'Vergrößern',
  'panel.collapse': 'Verkleinern',
  'panel.close': 'Schließen',
  'disclosure.mark': 'KI',
  'disclosure.ai': 'Sie chatten mit einem KI-Assistenten.',
  'disclosure.mixed': 'Zuerst antwortet ein KI-Assistent; Menschen können dazukommen.',
  'disclosure.human': 'Hier antworten Menschen.',

  // transcript
  'transcript.label': 'Unterhaltung',
  'transcript.new-below': 'Neues weiter unten',
  'transcript.earlier': 'Frühere anzeigen',
  'transcript.today': 'Heute',
  'transcript.yesterday': 'Gestern',
  'greeting.morning': 'Guten Morgen.',
  'greeting.afternoon': 'Guten Tag.',
  'greeting.evening': 'Guten Abend.',
  'welcome.title': 'Wie kann ich helfen?',
  'starters.label': 'Vorschläge',

  // composer
  'composer.label': 'Nachricht',
  'composer.placeholder': 'Nachricht schreiben',
  'composer.send': 'Senden',
  'composer.stop': 'Anhalten',
  'composer.uploading': 'Wartet auf das Hochladen der Dokumente',
  'composer.returned': 'Was noch nicht gesendet war, steht wieder im Nachrichtenfeld.',
  'attach.add': 'Dokumente anhängen',
  'attach.drop': 'Dokumente hier ablegen',
  'attach.blocked':
    'Ein Dokument konnte nicht hochgeladen werden. Laden Sie es erneut hoch oder entfernen Sie es und senden Sie dann.',
  'attach.removed': '{name} entfernt.',
  'mention.list': 'Personen und Dinge zum Erwähnen',
  'composer.too-long': { other: 'Um {count} Zeichen zu lang' },
  'message.queued': 'Wartet auf den Versand',
  'message.remove-queued': 'Entfernen',
  'message.not-sent': 'Nicht gesendet',
  'message.person': '{name} (ein Mensch)',
  'message.documents': { one: '{count} Dokument angehängt', other: '{count} Dokumente angehängt' },

  // status line
  'status.ready': 'Online',
  'status.working': 'In Arbeit\u00a0…',
  'status.writing': 'Schreibt\u00a0…',
  'status.stalled': 'Noch keine Antwort\u00a0…',
  'status.offline': 'Sie sind offline',
  'status.resuming': 'Wird neu verbunden\u00a0…',
  'status.waiting': 'Ihre Antwort fehlt',
  'status.auth-needed': 'Bitte neu anmelden',
  'status.failed': 'Etwas ging schief',

  // notices
  'notice.stopped': 'Angehalten',
  'notice.may-continue': 'Hier angehalten. Der Assistent arbeitet auf seiner Seite vielleicht weiter.',
  'notice.no-answer': 'Es kam keine Antwort.',
  'notice.retry': 'Erneut versuchen',
  'notice.sign-in': 'Anmelden',
  'notice.details': 'Details',
  'notice.reference': 'Referenz: {code}',
  'notice.busy': 'Der Dienst ist gerade ausgelastet.',
  'notice.retry-later': 'Bitte versuchen Sie es später erneut.',
  'notice.retry-seconds': {
    one: 'Versuchen Sie es in {count} Sekunde erneut.',
    other: 'Versuchen Sie es in {count} Sekunden erneut.',
  },
  'notice.retry-minutes': {
    one: 'Versuchen Sie es in {count} Minute erneut.',
    other: 'Versuchen Sie es in {count} Minuten erneut.',
  },
  'failure.run': 'Beim Antworten ist ein Fehler aufgetreten.',
  'failure.expired': 'Das hat zu lange gedauert und wurde beendet.',
  'failure.interrupted': 'Verbindung unterbrochen. Was bereits da ist, bleibt erhalten.',
  'failure.network': 'Keine Verbindung zum Dienst.',
  'failure.timeout': 'Der Dienst hat nicht rechtzeitig geantwortet.',
  'failure.auth': 'Bitte melden Sie sich erneut an, um fortzufahren. Ihr Text bleibt erhalten.',
  'failure.token': 'Der Chat kann gerade keine Verbindung aufbauen. Bitte versuchen Sie es erneut.',
  'failure.forbidden':
    'Sie haben keinen Zugriff auf diese Unterhaltung oder diesen Assistenten. Sie können einen neuen Chat beginnen.',
  'failure.not-found': 'Diese Unterhaltung oder dieser Assistent existiert nicht mehr.',
  'failure.too-large': 'Diese Nachricht ist zu groß. Bitte kürzen Sie sie oder wählen Sie kleinere Dateien.',
  'failure.invalid': 'Der Dienst hat diese Nachricht nicht angenommen.',
  'failure.rate-limit': 'Zu viele Nachrichten auf einmal.',
  'failure.server': 'Der Dienst hat ein Problem. Bitte versuchen Sie es erneut.',
  'failure.format': 'Der Dienst hat etwas Unlesbares gesendet.',
  'failure.guardrail': 'Das kann hier nicht beantwortet werden.',

  // steps
  'steps.count': { one: '{count} Schritt', other: '{count} Schritte' },
  'steps.reasoning': 'Überlegungen',
  'steps.plan': 'Plan',
  'steps.summary': 'Zusammenfassung',
  'steps.input': 'Eingabe',
  'steps.output': 'Ergebnis',
  'steps.failed': 'fehlgeschlagen',
  'steps.done': 'erledigt',
  'steps.active': 'läuft',
  'steps.pending': 'offen',
  'steps.stopped': 'abgebrochen',
  'time.seconds': '{count} s',
  'time.minutes': '{minutes} min {seconds} s',

  // turn actions
  'actions.label': 'Aktionen zu dieser Antwort',
  'actions.copy': 'Kopieren',
  'actions.copied': 'Kopiert',
  'actions.regenerate': 'Neu antworten',
  'actions.edit': 'Bearbeiten',
  'actions.save': 'Erneut senden',
  'actions.cancel': 'Abbrechen',
  'feedback.good': 'Gute Antwort',
  'feedback.bad': 'Schlechte Antwort',
  'feedback.thanks': 'Vielen Dank für Ihr Feedback',

  // content items
  'content.loading': 'Wird geladen\u00a0…',
  'content.failed': 'Dieser Teil konnte nicht angezeigt werden.',
  'content.more': { one: '{count} weiteren anzeigen', other: '{count} weitere anzeigen' },
  'media.image': 'Bild',
  'date.label': 'Datum',
  'file.done': 'hochgeladen',
  'file.failed': '{name} konnte nicht hochgeladen werden.',

  // forms
  'form.label': 'Formular',

  // Markdown
  'markdown.copy': 'Kopieren',
  'markdown.copied': 'Kopiert',
  'markdown.copy-failed': 'Kopieren fehlgeschlagen',
  'markdown.wrap': 'Umbrechen',
  'markdown.code': 'Code',
  'markdown.table': 'Tabelle',
  'markdown.formula': 'Formel',
  'markdown.load-image': 'Bild von {host} laden',
  'markdown.task-done': 'Erledigt',
  'markdown.task-open': 'Offen',

  // announcements
  'transcript.you-said': 'Sie',
  'transcript.name-said': '{name}',
  'announce.started': '{name} antwortet.',
  'announce.answer': '{name}: {text}',
  'announce.question': '{name} fragt: {text}',
  'announce.done': 'Antwort vollständig.',
  'announce.rest': 'Der Rest steht in der Unterhaltung.',
  'announce.code': { one: 'Code, {count} Zeile.', other: 'Code, {count} Zeilen.' },
  'announce.table': { one: 'Tabelle, {count} Zeile.', other: 'Tabelle, {count} Zeilen.' },
  'announce.choices': 'Zur Auswahl: {list}',
  'announce.form': 'Formular zum Ausfüllen: {name}',
  'announce.unread': { one: '{count} neue Nachricht', other: '{count} neue Nachrichten' },
  'announce.offline': 'Sie sind offline. Gesendet wird, sobald Sie wieder verbunden sind',
  'announce.reconnected': 'Wieder verbunden.',
  'announce.new-thread': 'Neuer Chat begonnen.',

  // help: keyboard and announcements
  'help.title': 'Tastatur und Vorlesen',
};
