/** All that elements say, in each language they speak. `{name}` stands for what is put there. */
const en = {
  accept: 'Accept',
  acceptAll: 'Accept all {count}',
  acceptEdited: 'Accept with these arguments',
  acceptedBy: 'Accepted by {name}, {time}',
  addItem: 'Add',
  anItem: 'Item {number}',
  argumentsTitle: 'Arguments',
  asTree: 'Tree',
  asText: 'Raw',
  blanks: '{count} blanks',
  cancel: 'Cancel',
  cancelledBy: 'Withdrawn: {name}, {time}',
  cannotBeReached: 'The server could not be reached, so it is not known whether this was decided. Look again when the connection is back.',
  charactersLeftOut: '{count} characters not shown here',
  clearDecided: 'Clear {count} decided',
  connecting: 'Looking for what waits …',
  connectionLost: 'Live updates lost. Last seen {time}. What you see may be out of date; it is being connected again.',
  contentTitle: 'Content',
  decidedMeanwhile: 'This had been decided meanwhile.',
  decline: 'Decline',
  declineAll: 'Decline all {count}',
  declinedBy: 'Declined by {name}, {time}',
  details: 'Details',
  edit: 'Edit',
  editRefused: 'The policies refused these arguments.',
  edited: 'with other arguments',
  expired: 'Nobody decided in time: denied, {time}',
  expiresIn: '{time} left',
  formInvalid: 'Some values are missing or wrong.',
  identical: '{count} identical',
  masked: 'Secrets are masked',
  mustBeAtLeast: 'must be at least {bound}',
  mustBeAtMost: 'must be at most {bound}',
  mustBeFilled: 'must be filled in',
  mustBeNumber: 'must be a number',
  mustBeWhole: 'must be a whole number',
  mustHaveAtLeast: 'must have at least {bound} characters',
  mustHaveAtMost: 'must have at most {bound} characters',
  mustBeJson: 'must be JSON: {problem}',
  newAsk: '{agent} asks: {title}',
  noFields: 'Nothing to fill in.',
  none: 'none',
  notPermitted: 'You may look, but not decide: {reason}',
  nothingWaits: 'Nothing waits for you.',
  nothingWaitsMore: 'New asks appear here by themselves.',
  notSignedIn: 'The server does not know this key.',
  pendingCount: '{count} waiting',
  policies: 'Asked by',
  readAll: 'There is more than fits here: read all of it first.',
  reason: 'Reason',
  reasonHint: 'The agent is told.',
  refused: 'The server refused: {reason}',
  remove: 'Remove',
  request: 'Message to the agent',
  response: 'Answer of the agent',
  resultOf: 'Result of {tool}',
  llmRequest: 'Request to the model',
  llmResponse: 'Answer of the model',
  sending: 'Sending …',
  stale: 'What was shown is not what waits any more. Look again before you decide.',
  withReason: 'With a reason',
};

type Catalogue = Readonly<Record<keyof typeof en, string>>;

const de: Catalogue = {
  accept: 'Annehmen',
  acceptAll: 'Alle {count} annehmen',
  acceptEdited: 'Mit diesen Argumenten annehmen',
  acceptedBy: 'Angenommen von {name}, {time}',
  addItem: 'Hinzufügen',
  anItem: 'Eintrag {number}',
  argumentsTitle: 'Argumente',
  asTree: 'Baum',
  asText: 'Roh',
  blanks: '{count} Leerzeichen',
  cancel: 'Abbrechen',
  cancelledBy: 'Zurückgezogen: {name}, {time}',
  cannotBeReached: 'Der Server ist nicht erreichbar; ob entschieden wurde, ist nicht bekannt. Bitte nachsehen, sobald die Verbindung wieder steht.',
  charactersLeftOut: '{count} Zeichen sind hier nicht gezeigt',
  clearDecided: '{count} entschiedene ausblenden',
  connecting: 'Es wird nachgesehen, was wartet …',
  connectionLost: 'Keine Live-Verbindung. Zuletzt gesehen: {time}. Was hier steht, kann veraltet sein; die Verbindung wird wieder aufgebaut.',
  contentTitle: 'Inhalt',
  decidedMeanwhile: 'Darüber war inzwischen schon entschieden.',
  decline: 'Ablehnen',
  declineAll: 'Alle {count} ablehnen',
  declinedBy: 'Abgelehnt von {name}, {time}',
  details: 'Einzelheiten',
  edit: 'Ändern',
  editRefused: 'Die Richtlinien lassen diese Argumente nicht zu.',
  edited: 'mit anderen Argumenten',
  expired: 'Niemand hat rechtzeitig entschieden: abgelehnt, {time}',
  expiresIn: 'noch {time}',
  formInvalid: 'Manche Angaben fehlen oder stimmen nicht.',
  identical: '{count} gleiche',
  masked: 'Geheimes ist verdeckt',
  mustBeAtLeast: 'muss mindestens {bound} sein',
  mustBeAtMost: 'darf höchstens {bound} sein',
  mustBeFilled: 'muss ausgefüllt sein',
  mustBeNumber: 'muss eine Zahl sein',
  mustBeWhole: 'muss eine ganze Zahl sein',
  mustHaveAtLeast: 'muss mindestens {bound} Zeichen haben',
  mustHaveAtMost: 'darf höchstens {bound} Zeichen haben',
  mustBeJson: 'muss JSON sein: {problem}',
  newAsk: '{agent} fragt: {title}',
  noFields: 'Nichts auszufüllen.',
  none: 'keine',
  notPermitted: 'Sie dürfen zusehen, aber nicht entscheiden: {reason}',
  nothingWaits: 'Nichts wartet auf Sie.',
  nothingWaitsMore: 'Neue Fragen erscheinen hier von selbst.',
  notSignedIn: 'Der Server kennt diesen Schlüssel nicht.',
  pendingCount: '{count} warten',
  policies: 'Gefragt von',
  readAll: 'Es ist mehr, als hier Platz hat: erst alles lesen.',
  reason: 'Grund',
  reasonHint: 'Der Agent erfährt ihn.',
  refused: 'Der Server lehnt ab: {reason}',
  remove: 'Entfernen',
  request: 'Nachricht an den Agenten',
  response: 'Antwort des Agenten',
  resultOf: 'Ergebnis von {tool}',
  llmRequest: 'Anfrage an das Modell',
  llmResponse: 'Antwort des Modells',
  sending: 'Wird gesendet …',
  stale: 'Was gezeigt wurde, wartet so nicht mehr. Bitte vor der Entscheidung noch einmal ansehen.',
  withReason: 'Mit Begründung',
};

const catalogues: Readonly<Record<string, Catalogue>> = { en, de };

/** What an element says: `words.say('identical', { count: 3 })`, and times in the language's own way. */
export interface Words {
  readonly language: string;
  readonly say: (key: keyof Catalogue, values?: Readonly<Record<string, string | number>>) => string;
  /** The time of day, with the date where it is another day than `now`. */
  readonly time: (iso: string, now: Date) => string;
}

/** The words of a language, by its tag (`de-AT` is `de`). One that is not spoken is English. */
export function wordsOf(tag: string): Words {
  const [language = 'en'] = tag.toLowerCase().split('-');
  const catalogue = catalogues[language] ?? en;
  const spoken = catalogue === en ? 'en' : language;
  const own = navigator.languages.find((one) => one.toLowerCase().startsWith(spoken)); // the reader's: of two that speak English only one writes AM
  return {
    language: spoken,
    say: (key, values = {}) => catalogue[key].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? '')),
    time: (iso, now) => {
      const at = new Date(iso);
      const isToday = at.toDateString() === now.toDateString();
      return at.toLocaleString(own ?? spoken, isToday ? { hour: '2-digit', minute: '2-digit', second: '2-digit' } : { dateStyle: 'medium', timeStyle: 'short' });
    },
  };
}
