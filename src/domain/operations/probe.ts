// Messages that only prove that the queue delivers: a readiness check's or an audit's. Pure.
import { LATE_MS } from "./invariants.ts";

/** Queue message: the operations object waits for it. */
export type ProbeMessage = {
  readonly probe: {
    readonly id: string;
    /** The providers that the consumer is to ask for a proof, by name. */
    readonly providers?: readonly string[];
  };
};

export function isProbeMessage(body: unknown): body is ProbeMessage {
  const value = body as Partial<ProbeMessage> | null | undefined;
  return typeof value?.probe?.id === "string";
}

/** An audit's probe. Instants in epoch ms; `arrivedAt` null: not yet. */
export type Probe = {
  readonly id: string;
  readonly sentAt: number;
  readonly arrivedAt: number | null;
};

/** How long the probe took, or has taken so far (ms); 0 without a probe. */
export const roundTripOf = (probe: Probe | null, now: number): number =>
  probe === null ? 0 : Math.max(0, (probe.arrivedAt ?? now) - probe.sentAt);

/** Whether the queue delivered the probe in time, or still may. */
export const hasArrivedInTime = (probe: Probe | null, now: number): boolean =>
  roundTripOf(probe, now) <= LATE_MS.probe;

/** What a readiness check found: how long each took (ms), null if it did not answer. */
export type ProbeResult = {
  readonly database: number | null;
  readonly queue: number | null;
  readonly object: number | null;
};

export const isReady = (found: ProbeResult): boolean =>
  Object.values(found).every((ms) => ms !== null);
