/* Data of the page: the scenario, and numbers that its pictures share with reports. */
export const data = JSON.parse(document.getElementById("lab").textContent);
