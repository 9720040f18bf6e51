// The offline page: shows since when there is no connection, and returns as soon as the server
// answers.

async function showSince(): Promise<void> {
  const last = await caches.match("/last-answer");
  const at = last ? Number(await last.text()) : Number.NaN;
  const element = document.getElementById("since");
  if (element === null || Number.isNaN(at)) return;
  const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
  element.textContent = `Last connected ${format.format(at)}.`;
}

const reloadIfOnline = () =>
  fetch("/sign-in", { method: "HEAD" }).then(
    () => window.location.reload(),
    () => {},
  );

document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "system";
void showSince();
window.addEventListener("online", () => void reloadIfOnline());
setInterval(() => void reloadIfOnline(), 5_000);
