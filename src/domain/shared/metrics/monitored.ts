// Whether a deployment watches itself: without any of these settings nothing is stored and audited.

type Settings = {
  readonly METRICS_TOKEN?: string;
  readonly HEARTBEAT_URL?: string;
  readonly CANARY?: string;
  readonly SMS_PROOF_NUMBER?: string;
};

/** Whether metrics, the heartbeat, the canary or the proof of SMS is configured. */
export const isMonitored = (settings: Settings): boolean =>
  Boolean(settings.METRICS_TOKEN || settings.HEARTBEAT_URL || settings.SMS_PROOF_NUMBER) ||
  settings.CANARY === "on";
