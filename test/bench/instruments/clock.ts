// The worker's clock, which a measurement sets ahead: an hour after an alert's end, or a year.
// Stored alarms still fire by the real clock; `fireDue` fires those of one object early.

const realNow = Date.now.bind(Date);

/** Sets `Date.now` ahead of the real clock (ms). */
export function setClockAhead(ms: number): void {
  Date.now = () => realNow() + ms;
}

/** Runs the object's alarm if it is due by the worker's clock; returns whether it was. */
export async function fireDue(
  storage: DurableObjectStorage,
  alarm: () => Promise<void>,
): Promise<boolean> {
  const at = await storage.getAlarm();
  if (at === null || at > Date.now()) return false;
  // The platform clears an alarm before it fires. The prototype's method is not counted.
  await (Object.getPrototypeOf(storage) as DurableObjectStorage).deleteAlarm.call(storage);
  await alarm();
  return true;
}
