// The chosen theme, before the first paint: nothing flashes. A page that embeds this one may choose it.
const asked = new URLSearchParams(location.search);
const themeOf = (name) => (name === 'light' || name === 'dark' ? name : undefined);
let theme;
try {
  theme = themeOf(asked.has('embed') ? asked.get('theme') : localStorage.getItem('theme'));
} catch { /* no storage: the system's theme stands */ }
if (theme) document.documentElement.dataset.theme = theme;
