// The device's time zone, offered beside fields that have another.

/** Shows a button that chooses the device's time zone, if the field has another. */
export function offerZone(): void {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const placeholder of document.querySelectorAll<HTMLElement>("[data-device-zone]")) {
    const select = placeholder.closest("form")?.querySelector<HTMLSelectElement>("select");
    if (!select || !zone || select.value === zone) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "link";
    button.textContent = `Use this device's time zone: ${zone}`;
    button.addEventListener("click", () => {
      if (![...select.options].some(({ value }) => value === zone)) {
        select.prepend(new Option(zone, zone));
      }
      select.value = zone;
    });
    placeholder.replaceChildren(button);
  }
}
