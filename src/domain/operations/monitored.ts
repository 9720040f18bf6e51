// Whether a deployment watches itself: without any of these settings nothing is stored and audited.

type Settings = {
  readonly METRICS_TOKEN?: string;
  readonly HEARTBEAT_URL?: string;
  readonly CANARY?: string;
};

/** Whether metrics, the heartbeat or the canary is configured. */
export const isMonitored = ({ METRICS_TOKEN, HEARTBEAT_URL, CANARY }: Settings): boolean =>
  Boolean(METRICS_TOKEN || HEARTBEAT_URL) || CANARY === "on";
