// The offline page: shows since when there is no connection, and returns as soon as the server
// answers.

async function showSince(): Promise<void> {
  const last = await caches.match("/last-answer");
  const at = last ? Number(await last.text()) : Number.NaN;
  const place = document.getElementById("since");
  if (place === null || Number.isNaN(at)) return;
  const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
  place.textContent = `Last connected ${format.format(at)}.`;
}

const tryAgain = () =>
  fetch("/sign-in", { method: "HEAD" }).then(
    () => window.location.reload(),
    () => {},
  );

document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "system";
void showSince();
window.addEventListener("online", () => void tryAgain());
setInterval(() => void tryAgain(), 5_000);
