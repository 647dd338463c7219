"use strict";
// The page is complete without this: it draws the charts, filters the lists, and opens everything before printing.
(() => {
  const figures = JSON.parse(document.getElementById("figures").textContent);
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

  const axis = (more) => Object.assign(
    { gridcolor: colour("line"), linecolor: colour("line"), zerolinecolor: colour("line"), automargin: true, fixedrange: true }, more);

  const layouts = {
    outcomes: (f) => ({
      barmode: "stack", bargap: 0.35, legend: { orientation: "h", yref: "container", y: 0, yanchor: "bottom", x: 0, traceorder: "normal" },
      xaxis: axis({ title: { text: "prompts", font: { size: 12, color: colour("soft") } }, rangemode: "tozero", tickformat: ",d", nticks: 8 }),
      yaxis: axis({ tickvals: f.ticks.map((_, i) => i), ticktext: f.ticks, showgrid: false, zeroline: false }),
    }),
    survival: (f) => ({
      showlegend: false, xaxis: axis({ title: { text: "seconds since the question", font: { size: 12, color: colour("soft") } }, range: [0, f.until] }),
      yaxis: axis({ title: { text: "still unanswered", font: { size: 12, color: colour("soft") } }, range: [0, 1.03], tickformat: ".0%" }),
    }),
  };

  const draw = () => {
    for (const [name, figure] of Object.entries(figures)) {
      const place = document.getElementById("chart-" + name);
      if (!place) continue;
      place.style.height = figure.height + "px";
      const traces = figure.traces.map(({ colour: paint, ...trace }) => trace.type === "bar"
        ? { ...trace, marker: { color: colour(paint) } }
        : { ...trace, line: { color: colour(paint), width: 2.5, shape: "hv" } });
      const font = { family: getComputedStyle(document.body).fontFamily, size: 13, color: colour("ink") };
      Plotly.react(place, traces, {
        ...layouts[name](figure), height: figure.height, font, margin: { l: 10, r: 20, t: 10, b: name === "outcomes" ? 95 : 50 },
        paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
        hoverlabel: { bgcolor: colour("card"), bordercolor: colour("line"), font: { color: colour("ink") } },
      }, { displayModeBar: false, responsive: true, showLink: false });
    }
  };
  draw();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);

  for (const box of document.querySelectorAll("input[data-list]")) {
    const items = [...document.querySelectorAll("#" + box.dataset.list + " > details")];
    const count = document.getElementById(box.dataset.list + "-count");
    const texts = items.map((item) => item.textContent.toLowerCase());
    box.addEventListener("input", () => {
      const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
      let left = 0;
      items.forEach((item, i) => { item.hidden = !words.every((word) => texts[i].includes(word)); left += !item.hidden; });
      count.textContent = left + " shown";
    });
  }

  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => { d.dataset.was = d.open; d.open = true; }));
  addEventListener("afterprint", () => document.querySelectorAll("details").forEach((d) => { d.open = d.dataset.was === "true"; }));
  document.documentElement.dataset.ready = "yes";
})();
