// Keeps what is typed in the browser tab's own storage, at every keystroke, and gives it back to a new session once.
// Nothing is sent anywhere but to the app's own server, which had it before.
const PREFIX = "merge-by-merge/"
const controllers = new WeakMap()

function stored(name) {
  try {
    return window.sessionStorage.getItem(PREFIX + name)
  } catch {
    return null // storage is switched off: typing works, a reload forgets
  }
}

function store(name, text) {
  try {
    window.sessionStorage.setItem(PREFIX + name, text)
  } catch {
    // full or switched off, as above
  }
}

function create() {
  const controller = { fields: [], asked: false }
  controller.drawn = ({ key }) => document.querySelector(`.st-key-${key} textarea, .st-key-${key} input`)
  document.addEventListener(
    "input",
    (event) => {
      for (const field of controller.fields) {
        if (controller.drawn(field) === event.target) store(field.name, event.target.value)
      }
    },
    { capture: true },
  )
  return controller
}

export default function ({ parentElement, data, setTriggerValue }) {
  const host = parentElement.host ?? parentElement
  if (!controllers.has(host)) controllers.set(host, create())
  const controller = controllers.get(host)
  controller.fields = data.fields
  if (data.fresh && !controller.asked) {
    controller.asked = true
    const texts = {}
    for (const name of data.names) {
      const text = stored(name)
      if (text) texts[name] = text
    }
    if (Object.keys(texts).length) {
      setTriggerValue("restored", texts)
      return
    }
  }
  // Text that came from the server, not by typing: kept as soon as the field shows it, known by its length.
  window.setTimeout(() => {
    for (const field of controller.fields) {
      const drawn = controller.drawn(field)
      if (drawn && drawn.value.length === field.length) store(field.name, drawn.value)
    }
  }, 400)
}
