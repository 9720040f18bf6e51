// The bar of the selected alerts: how many they are, and a button that selects all of the page.

const boxes = () => [...document.querySelectorAll<HTMLInputElement>('[data-rows] [form="bulk"]')];

function showSelected(): void {
  const text = document.querySelector<HTMLElement>("[data-selected]");
  const button = document.querySelector<HTMLButtonElement>("[data-select-all]");
  if (text === null || button === null) return;
  const all = boxes();
  const count = all.filter(({ checked }) => checked).length;
  const matching = document.querySelector<HTMLInputElement>("[data-select-matching]");
  const total = document.querySelector<HTMLElement>("[data-total]")?.dataset.total ?? "0";
  if (matching?.nextElementSibling)
    matching.nextElementSibling.textContent = `All ${total} that match`;
  const isMatching = matching?.checked === true;
  text.textContent = isMatching
    ? `All ${total} alerts that match selected`
    : `${count} ${count === 1 ? "alert" : "alerts"} selected`;
  button.hidden = count === 0 || isMatching;
  button.textContent = count === all.length ? "Clear the selection" : `Select all ${all.length}`;
}

/** Keeps the bar as the selection is, which a refreshed list changes too. */
export function showSelection(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-select-all]");
  if (button === null) return;
  document.addEventListener("change", showSelected);
  document.addEventListener("htmx:after:swap", showSelected);
  button.addEventListener("click", () => {
    const all = boxes();
    const selects = all.some(({ checked }) => !checked);
    for (const box of all) box.checked = selects;
    showSelected();
  });
  showSelected();
}
