export const shell = {
  product: 'Swarmdeck',
  age: {
    seconds: (count: string) => `${count} s`,
    minutes: (count: string) => `${count} min`,
    hours: (count: string) => `${count} h`,
    days: (count: string) => `${count} d`,
    now: 'now',
    ago: (age: string) => `${age} ago`,
  },
};
