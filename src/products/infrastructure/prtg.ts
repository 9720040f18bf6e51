// PRTG's "execute HTTP action": a form of its placeholders, unresolved in test notifications.
import { dataOf } from "../reading/additional-data.ts";
import { textAt } from "../reading/payload.ts";
import {
  createSenderType,
  type EventKind,
  ignoreState,
  missingField,
  readOther,
} from "../sender-type.ts";

export const prtg = createSenderType({
  name: "prtg",
  title: "PRTG",
  description: "An HTTP action of a notification template of PRTG.",
  says: ["acknowledge", "resolve"],
  read: (fields) => {
    const status = textAt(fields, "status");
    if (status === null) return missingField("status");
    const { state: read, kind } = readStatus(status);
    if (kind === "ignore") return ignoreState("status", status);
    if (kind === "unknown") return readOther("status", status);
    const state = read ?? "down";
    // A test sends the placeholder unresolved.
    const word = read === null && !status.startsWith("%") ? status : state;
    const sensor = textAt(fields, "sensorid");
    const id = sensor?.startsWith("%") ? null : sensor;
    const name = textAt(fields, "sensor") ?? textAt(fields, "name");
    const members = [textAt(fields, "device"), name].filter((text) => text !== null).join(", ");
    const parts = ["Sensor", sensor, name, `is ${word.toUpperCase()}`];
    return {
      kind,
      // Separate, so that an acknowledged warning does not suppress the sensor's down alert.
      thirdpartyId: state === "down" ? id : id && `${id} ${state}`,
      // Sensors of two PRTGs may have one number.
      members: { names: members === "" ? [] : [members], isPartial: true },
      title: parts.filter((part) => part !== null).join(" "),
      description: textAt(fields, "message"),
      urgency: state === "down" ? null : "medium",
      additionalData: dataOf(fields, "device", "group", "probe", "linksensor", "lastvalue"),
    };
  },
});

/**
 * The states in the languages of PRTG's servers, as a status begins. A word of another language
 * opens the sensor's alert.
 */
const STATES = {
  down: ["down", "fehler", "erreur", "en panne", "caído", "fallo", "storing", "falha"],
  warning: ["warning", "warnung", "avertissement", "advertencia", "waarschuwing", "aviso"],
  unusual: ["unusual", "ungewöhnlich", "inhabituel", "inusual", "ongebruikelijk", "incomum"],
  unknown: ["unknown", "unbekannt", "inconnu", "desconocido", "onbekend", "desconhecido"],
  up: ["up", "ok", "verfügbar", "disponible", "disponível", "beschikbaar"],
  paused: ["paused", "pausiert", "angehalten", "en pause", "en pausa", "gepauzeerd", "pausado"],
} as const;
type State = keyof typeof STATES;

/** An acknowledged state, in the same languages: `Down (Acknowledged)`. */
const ACKNOWLEDGED =
  /\((?:acknowledged|bestätigt|confirmé|reconnu|acquitté|confirmado|reconocido|reconhecido|bevestigd)\)/;
/** The end of a state with its successor, in any language: `Down ended (now: Up)`. */
const SUCCESSOR = /[(（][^:：()（）]+[:：]([^()（）]+)[)）]/;

/** What a status means. `state` null = a word of an unknown language, read as down. */
function readStatus(text: string): { readonly state: State | null; readonly kind: Kind } {
  const status = text.toLowerCase();
  const state = stateIn(status);
  const now = SUCCESSOR.exec(status)?.[1];
  if (now !== undefined) return { state, kind: kindOfEnd(stateIn(now.trim())) };
  if (state === "up") return { state: "down", kind: "resolve" };
  if (state === "paused") return { state, kind: "ignore" };
  const isAcknowledged = (state === "down" || state === null) && ACKNOWLEDGED.test(status);
  return { state, kind: isAcknowledged ? "acknowledge" : "create" };
}

type Kind = EventKind | "ignore" | "unknown";

/**
 * What the end of a state means. Each successor that is a trouble has its own notification if
 * needed. A sensor that is now paused or unknown has not recovered.
 */
function kindOfEnd(successor: State | null): Kind {
  if (successor === null) return "unknown";
  return successor === "paused" || successor === "unknown" ? "ignore" : "resolve";
}

function stateIn(status: string): State | null {
  const states = Object.keys(STATES) as State[];
  const beginsWith = (word: string) =>
    status.startsWith(word) && !/^\p{L}/u.test(status.slice(word.length));
  return states.find((state) => STATES[state].some(beginsWith)) ?? null;
}
