/** Reports that the calendar could not load; the list of shifts below it has the same content. */
export function reportCalendarFailure(): void {
  const line = document.getElementById("connection");
  if (line === null) return;
  line.textContent =
    "The calendar could not be loaded. The list below shows the shifts; reload to try again.";
  line.hidden = false;
}
