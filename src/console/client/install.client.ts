// Offers to install the console as an app, where the browser lets a page ask.

/** Chromium's event; other browsers install from their menu. */
type InstallEvent = Event & { readonly prompt: () => Promise<unknown> };

/** Shows the button that installs the app once the browser says that it can be installed. */
export function offerInstall(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-install]");
  if (button === null) return;
  window.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    button.hidden = false;
    button.addEventListener("click", () => {
      button.hidden = true;
      (event as InstallEvent).prompt().catch(() => {});
    });
  });
}
