// The chosen theme, before the first paint: nothing flashes.
try {
  const chosen = localStorage.getItem('theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch { /* no storage: the system's theme stands */ }
